//! Shapes: patterns with names, as data. The signs are those of [`super::pattern::ShapePattern`].

use super::{Condition, Rule, new_rule};
use crate::reasons::RuleFamily;

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("hane-head-two", RuleFamily::Shape, 3.0, "is a hane at the head of the two stones at {about}", "{about}の二子の頭をハネます", Condition::Shape("? + + o ?\n+ O Q * o\n? X X . ?")),
    new_rule("hane-head-three", RuleFamily::Shape, 3.5, "is a hane at the head of the three stones at {about}", "{about}の三子の頭をハネます", Condition::Shape("? + + + o ?\n+ O O Q * o\n? X X X . ?")),
    new_rule("hane-head", RuleFamily::Shape, 2.5, "is a hane at the head of the row of stones at {about}", "{about}の石の頭をハネます", Condition::Shape("? ? o ?\nO Q * o\nX X . ?")),
    new_rule("hane", RuleFamily::Shape, 1.5, "is a hane around {about}", "{about}のハネです", Condition::Shape("? o ?\nQ * o\nX . ?")),
    new_rule("hane-under", RuleFamily::Shape, 1.2, "is a hane on the first line around {about}", "{about}への一線のハネです", Condition::Shape("? Q X ?\no * . ?\n# # # #")),
    new_rule("counter-hane", RuleFamily::Shape, 2.0, "answers the hane at {about} by a hane", "{about}のハネにハネ返します", Condition::Answer("O O . ?\nX X Q +\n. . * o\n? ? o ?")),
    new_rule("double-hane", RuleFamily::Shape, 2.0, "is a double hane around {about}", "{about}に二段バネします", Condition::Shape("? ? o ?\n? Q * o\nO X . ?\nX ? ? ?")),
    new_rule("bend", RuleFamily::Shape, 1.5, "bends around {about}", "{about}に沿ってマガります", Condition::Shape("X X ?\nQ * .")),
    new_rule("push-out", RuleFamily::Shape, 1.5, "comes out with {about}", "{about}から頭を出します", Condition::Shape("O O .\nO X *\n? . .")),
    new_rule("extend-contact", RuleFamily::Shape, 1.5, "extends from {about}, which touches the enemy", "接触した{about}からノビます", Condition::Shape("O .\nX *\n? .")),
    new_rule("stretch", RuleFamily::Shape, 1.5, "stretches from {about}", "{about}からノビます", Condition::Shape(". O .\n. X O\n. * .\n. . .")),
    new_rule("stretch-contact", RuleFamily::Shape, 1.5, "stretches from {about}, away from the contact", "接触した{about}からノビます", Condition::Shape(". . .\nO X *\n. . .")),
    new_rule("push-level", RuleFamily::Shape, 3.0, "pushes along {about}, level with it", "{about}に並んで押します", Condition::Shape("? O Q ?\nX X * .\n? ? . .")),
    new_rule("extend-past-three", RuleFamily::Shape, 3.5, "extends past the three stones at {about}", "{about}の三子より先にノビます", Condition::Shape("? + + + ?\n+ O O Q +\n? X X X *\n? ? ? . .")),
    new_rule("block-third", RuleFamily::Side, 2.5, "blocks {about} on the third line", "{about}を三線で止めます", Condition::Shape(". . Q .\n. X * .\n. . . .\n. . . .\n# # # #")),
    new_rule("push-along", RuleFamily::Shape, 1.0, "pushes along beside {about}", "{about}を押します", Condition::Shape("O Q . .\nX X * .\n. . . .")),
    new_rule("push-behind", RuleFamily::Shape, 1.0, "pushes along {about} from behind", "{about}の後から押します", Condition::Shape("X X * .\nO O Q .")),
    new_rule("crosscut", RuleFamily::Shape, 2.5, "makes a crosscut with {about}", "{about}に切り違えます", Condition::Shape("X O\nO *")),
    new_rule("crosscut-extend", RuleFamily::Shape, 2.0, "extends from the crosscut at {about}", "切り違いから{about}をノビます", Condition::Shape("? . ? ?\n. * X O\n? ? O X")),
    new_rule("tiger-mouth", RuleFamily::Shape, 2.0, "makes a tiger's mouth with {about} and {other}", "{about}と{other}をカケツギの形にします", Condition::Shape(". Y ?\n* . Z\n. . ?")),
    new_rule("hanging-connection", RuleFamily::Shape, 2.0, "makes a hanging connection over the cutting point between {about} and {other}", "{about}と{other}の間の断点をカケツギの形にします", Condition::Shape("O Y ?\nZ . .\n. * .")),
    new_rule("solid-connection", RuleFamily::Shape, 2.0, "fills the cutting point between {about} and {other}", "{about}と{other}の間の断点をツギます", Condition::Shape("O Y\nZ *")),
    new_rule("bamboo-joint", RuleFamily::Shape, 2.5, "makes a bamboo joint with {about}", "{about}と竹節を作ります", Condition::Shape("X . X\nX . *\n? . ?")),
    new_rule("table-shape", RuleFamily::Shape, 1.5, "makes good shape with {about}", "{about}と良形を作ります", Condition::Shape("X . X\n? . ?\n. * .")),
    new_rule("poke", RuleFamily::Shape, 1.5, "pokes at the gap between {about} and {other}", "{about}と{other}の隙を突きます", Condition::Shape("Q . R\n? * ?\n? X ?")),
    new_rule("peep", RuleFamily::Shape, 1.0, "peeps at the gap between {about} and {other}", "{about}と{other}の一間をノゾキます", Condition::Shape("Q . R\n. * .\n. . .")),
    new_rule("peep-knight", RuleFamily::Shape, 1.0, "plays into the knight's move between {about} and {other}", "{about}と{other}のケイマに割って入ります", Condition::Shape("Q . .\n. * R\n. . .")),
    new_rule("answer-peep", RuleFamily::Shape, 3.0, "answers the peep at {about} by connecting", "{about}のノゾキにツギます", Condition::Answer("A * B\nx Q x")),
    new_rule("push-through", RuleFamily::Shape, 1.5, "pushes between {about} and {other}", "{about}と{other}の間に出ます", Condition::Shape("? . ?\nQ * R\n? X ?")),
    new_rule("block-push", RuleFamily::Shape, 2.5, "stops the push at {about}", "{about}の出を止めます", Condition::Shape("X Q X\n? * ?\n? . ?")),
    new_rule("wedge", RuleFamily::Shape, 1.5, "wedges between {about} and {other}", "{about}と{other}の間に割り込みます", Condition::Shape(". . .\nQ * R\nX . X")),
    new_rule("wedge-in", RuleFamily::Shape, 1.0, "goes between {about} and {other}", "{about}と{other}の間に入ります", Condition::Shape(". . .\nQ * R\n. . .")),
    new_rule("clamp", RuleFamily::Shape, 1.2, "clamps {about} from the other side", "{about}をハサミツケます", Condition::Shape("X Q *\n? . .")),
    new_rule("attach", RuleFamily::Shape, 1.0, "attaches to {about}", "{about}にツケます", Condition::Shape(". . . .\n. O * .\n. . . .")),
    new_rule("attach-own-near", RuleFamily::Shape, 1.5, "attaches to {about} with a friend nearby", "味方の近くで{about}にツケます", Condition::Shape(". Q * .\n. . . .\nX . . .")),
    new_rule("attach-under", RuleFamily::Invade, 1.5, "attaches to {about} on the second line", "{about}の辺側にツケます", Condition::Shape(". O .\n. * .\n. . .\n# # #")),
    new_rule("shoulder-hit", RuleFamily::Moyo, 2.5, "hits {about} on the shoulder", "{about}に肩ツキします", Condition::Shape(". . . .\n. * . .\n. . O .\n. . . .\n. . . .\n# # # #")),
    new_rule("shoulder-hit-high", RuleFamily::Moyo, 2.0, "hits {about} on the shoulder from above", "{about}の上から肩ツキします", Condition::Shape(". . . .\n. * . .\n. . O .\n. . . .\n. . . .\n. . . .\n# # # #")),
    new_rule("knight-cap", RuleFamily::Attack, 1.5, "caps {about} by a knight's move", "{about}にケイマにカケます", Condition::Inward(". * . .\n. . . .\n. . O .\n. . . .")),
    new_rule("one-point-jump", RuleFamily::Shape, 2.0, "jumps one point from {about}", "{about}から一間にトビます", Condition::Shape(". . . . .\n. X . * .\n. . . . .")),
    new_rule("one-point-jump-out", RuleFamily::Shape, 1.5, "jumps ahead from {about}, which touches the enemy", "接触した{about}から一間に出ます", Condition::Shape(". O . . .\n. X . * .\n. . . . .")),
    new_rule("small-knight", RuleFamily::Shape, 1.5, "moves by a small knight from {about}", "{about}からケイマに打ちます", Condition::Shape(". . . . .\n. X . . .\n. . . * .\n. . . . .")),
    new_rule("large-knight", RuleFamily::Shape, 1.2, "moves by a large knight from {about}", "{about}から大ゲイマに打ちます", Condition::Shape(". . . . . .\n. X . . . .\n. . . . * .\n. . . . . .")),
    new_rule("two-point-jump", RuleFamily::Shape, 1.5, "jumps two points from {about}", "{about}から二間にトビます", Condition::Shape(". . . . . .\n. X . . * .\n. . . . . .")),
    new_rule("diagonal-move", RuleFamily::Shape, 1.2, "moves diagonally from {about}", "{about}からコスミます", Condition::Shape(". . . .\n. X . .\n. . * .\n. . . .")),
    new_rule("diagonal-attachment", RuleFamily::Shape, 1.5, "attaches diagonally to {about}", "{about}にコスミツケます", Condition::Shape("X . .\n. * Q\n? . ?")),
    new_rule("diagonal-attachment-third", RuleFamily::Side, 2.5, "attaches diagonally to {about} on the third line, to keep the side", "{about}に三線でコスミツケて辺を守ります", Condition::Shape("X . .\n. * Q\n. . .\n. . .\n# # #")),
    new_rule("slide-second", RuleFamily::Side, 2.5, "slides to the second line from {about}", "{about}から二線にスベります", Condition::Shape("X . . ?\n. . * ?\n. . . ?\n# # # #")),
    new_rule("jump-under", RuleFamily::Side, 3.0, "jumps along the second line under {about}", "{about}の辺側を二線でトビます", Condition::Shape(". . . Q ?\n. . * . X\n. . . . .\n# # # # #")),
    new_rule("block-slide", RuleFamily::Endgame, 2.5, "stops {about} on the second line", "{about}を二線で止めます", Condition::Shape("X . . .\n* Q . .\n. . . .\n# # # #")),
    new_rule("extend-ahead", RuleFamily::Shape, 2.0, "extends ahead of {about}", "{about}より先にノビます", Condition::Shape("X X *\nO Q .\n? ? .")),
    new_rule("bend-second", RuleFamily::Shape, 1.5, "bends under {about} on the second line", "{about}の辺側を二線でマガります", Condition::Shape("X Q .\nX * .\n. . .\n# # #")),
    new_rule("stop-out", RuleFamily::Shape, 2.0, "stops {about} from coming out", "{about}の出を止めます", Condition::Shape("X . .\nQ * .\nX . .")),
    new_rule("descend-second", RuleFamily::Side, 2.0, "descends from {about} to the second line", "{about}から二線にサガります", Condition::Shape(". X O .\n. * . .\n. . . .\n# # # #")),
    new_rule("descend-protect", RuleFamily::Endgame, 1.5, "descends from {about} to protect the side", "{about}からサガって辺を守ります", Condition::Shape("O X ?\nO * .\n. . .\n# # #")),
    new_rule("edge-clamp", RuleFamily::Endgame, 1.5, "clamps {about} on the second line", "{about}を二線でハサミツケます", Condition::Shape("X Q *\n. . .\n# # #")),
    new_rule("place-inside", RuleFamily::Endgame, 1.5, "is a placement on the first line under {about}", "{about}の辺側の一線にオキます", Condition::Shape("O O .\n. * .\n# # #")),
    new_rule("throw-in", RuleFamily::Life, 1.0, "throws in to take away an eye", "ホウリコミで眼を奪います", Condition::Shape("O O O\nO * O\n? . ?")),
    new_rule("throw-in-edge", RuleFamily::Life, 1.0, "throws in at the edge to take away an eye", "辺でホウリコミます", Condition::Shape("O O .\nO * .\n# # #")),
    new_rule("eye-point", RuleFamily::Life, 1.5, "makes eye shape with {about}", "{about}で眼形を作ります", Condition::Shape("X . X\nX * X\n? ? ?")),
    new_rule("dragon-head", RuleFamily::Shape, 1.5, "comes out between the enemy's stones with {about}", "相手の石の間から{about}の頭を出します", Condition::Shape("O . .\nX * .\nO . .")),
    new_rule("cap-one", RuleFamily::Attack, 1.5, "caps {about}", "{about}にボウシします", Condition::Inward(". * .\n. . .\n. O .\n. . .")),
    new_rule("net-loose", RuleFamily::Capture, 2.0, "surrounds {about} loosely", "{about}をゲタに掛けます", Condition::Shape("X X . .\nX Q . .\n. . * .\n. . . .")),
    new_rule("ladder-breaker-block", RuleFamily::Shape, 1.0, "keeps {about} from getting out", "{about}の出口を止めます", Condition::Shape("X Q . *\nX X . .\n? . . .")),
    new_rule("draw-back", RuleFamily::Shape, 1.5, "draws back from {other} after the turn at {about}", "{about}にマガられて{other}からヒキます", Condition::Answer("O O O ?\nX Z Q +\n. * . ?")),
    new_rule("draw-back-edge", RuleFamily::Endgame, 1.5, "holds back on the first line under {about}", "{about}の辺側、一線で控えます", Condition::Shape("X X O\n* . O\n# # #")),
    new_rule("second-line-connect", RuleFamily::Connect, 1.5, "connects along the second line under {about}", "{about}の辺側を二線で渡ります", Condition::Shape("O Q O\nX * X\n. . .\n# # #")),
    new_rule("first-line-connect-under", RuleFamily::Connect, 1.5, "connects along the first line under {about}", "{about}の辺側を一線で渡ります", Condition::Shape("O Q O\nX . X\nX * X\n# # #")),
    new_rule("bridge-under", RuleFamily::Connect, 2.0, "bridges underneath {about} on the first line", "{about}の辺側を一線でワタります", Condition::Shape(". Q .\nX . X\n. * .\n# # #")),
    new_rule("net-knight", RuleFamily::Capture, 1.5, "closes {about} in by a knight's move", "{about}をケイマで封じます", Condition::Shape(". X . .\n. Q . .\n. . . *\n. . . .")),
    new_rule("press", RuleFamily::Attack, 1.5, "presses {about} down", "{about}を圧迫します", Condition::Shape(". X * .\n. O Q .\n. . . .\n. . . .\n# # # #")),
    new_rule("press-both", RuleFamily::Attack, 1.5, "presses {about} down from the fourth line", "{about}を四線から圧迫します", Condition::Shape("X . . *\n. . Q .\n. . . .\n. . . .\n# # # #")),
    new_rule("crawl", RuleFamily::Side, 1.0, "crawls along the third line under {about}", "{about}の辺側を三線でハイます", Condition::Shape("O Q .\nX X *\n. . .\n. . .\n# # #")),
    new_rule("ponnuki-prevent", RuleFamily::Shape, 2.0, "keeps the opponent from a ponnuki at {about}", "{about}のポン抜きを防ぎます", Condition::Shape("? O ?\nO Y O\n? * ?\n? . ?")),
    new_rule("ponnuki", RuleFamily::Shape, 2.0, "makes the shape of a ponnuki", "ポン抜きの形になります", Condition::Shape("? X ?\nX . X\n? * ?")),
    new_rule("corner-two-one", RuleFamily::Life, 2.0, "takes the 2-1 point of the corner", "隅の2の一に打ちます", Condition::Shape("# . . . ?\n# * . . ?\n# . . . ?\n# # # # #")),
    new_rule("corner-two-two", RuleFamily::Corner, 1.5, "takes the 2-2 point", "隅の2の二に打ちます", Condition::Shape("# . . O ?\n# . * . ?\n# . . . ?\n# # # # #")),
    new_rule("corner-one-two-eye", RuleFamily::Life, 1.5, "makes eye shape in the corner", "隅で眼形を作ります", Condition::Shape("# X . . ?\n# . * . ?\n# . . . ?\n# # # # #")),
    new_rule("hane-at-edge-corner", RuleFamily::Endgame, 1.5, "is a hane on the first line around {about}, near the corner", "隅で{about}に一線のハネです", Condition::Shape("# o ? ?\n# * Q ?\n# . X ?\n# . . ?\n# . . ?\n# # # #")),
    new_rule("middle-three", RuleFamily::Life, 2.5, "takes the middle of three", "三目の中手です", Condition::Shape("O O O O O\nO . * . O\n? O O O ?")),
    new_rule("side-knight-extension", RuleFamily::Side, 2.0, "extends by a knight's move along the side from {about}", "{about}から辺へケイマに構えます", Condition::Shape("X . . . .\n. . * . .\n. . . . .\n. . . . .\n# # # # #")),
    new_rule("iron-pillar", RuleFamily::Side, 2.0, "stands firm on the third line below {about}", "{about}から三線に鉄柱でサガります", Condition::Shape(". X . .\n. * . .\n. . . .\n. . . .\n# # # #")),
    new_rule("high-knight-out", RuleFamily::Run, 1.5, "gets out towards the centre from {about}, ahead of the enemy", "{about}から相手より先に中央へ出ます", Condition::Inward(". . * .\n. O . .\n. X . .\n. . . .")),
    new_rule("answer-attach-hane", RuleFamily::Shape, 2.0, "answers the attachment at {about} by a hane", "{about}のツケにハネます", Condition::Answer("? ? o ?\n. . * .\n. X Q .\n. . . .")),
    new_rule("answer-attach-extend", RuleFamily::Shape, 1.8, "answers the attachment at {about} by stretching", "{about}のツケにノビます", Condition::Answer(". . . .\n* X Q .\n. . . .")),
    new_rule("answer-hane-cut", RuleFamily::Cut, 2.0, "cuts the hane at {about}", "{about}のハネを切ります", Condition::Answer("? ? + ?\n? + Q *\n? ? X O\n? ? . ?")),
    new_rule("answer-shoulder", RuleFamily::Shape, 1.5, "answers the shoulder hit at {about} by pushing up from {other}", "{about}の肩ツキに{other}から押し上げます", Condition::Answer(". Q * .\n. . Z .\n. . . .\n. . . .\n# # # #")),
    new_rule("answer-cap", RuleFamily::Shape, 1.5, "answers the cap at {about} by a knight's move from {other}", "{about}のボウシに{other}からケイマに受けます", Condition::Answer(". Q . .\n. . . *\n. Z . .\n. . . .\n. . . .\n# # # #")),
    new_rule("turn-under-edge", RuleFamily::Endgame, 1.2, "stops {about} on the first line", "{about}を一線で止めます", Condition::Shape("X Q .\nX * .\n# # #")),
    new_rule("knight-out-under", RuleFamily::Endgame, 2.0, "slides to the first line from {about}", "{about}から一線にスベります", Condition::Shape(". X ? ?\n. . ? O\n* . . ?\n# # # #")),
    new_rule("two-stage-net", RuleFamily::Attack, 1.2, "keeps {about} in from two lines away", "{about}を遠巻きにします", Condition::Shape("Q . . .\n. . * .\n. . . .\nX . . ?")),
    new_rule("cross-point", RuleFamily::Shape, 1.2, "comes between {about} and the enemy's stone {other}", "{about}と相手の{other}の間に打ちます", Condition::Shape("Y . ?\n. * .\n? . R")),
    new_rule("diagonal-contact", RuleFamily::Shape, 1.5, "moves diagonally from {about}, beside the contact", "接触した{about}からコスミます", Condition::Shape("O X ?\n. . *\n. . ?")),
    new_rule("second-line-hane", RuleFamily::Endgame, 1.5, "is a hane on the second line around {about}", "{about}への二線のハネです", Condition::Shape("X Q .\n. * .\n. . .\n# # #")),
    new_rule("third-line-hane", RuleFamily::Side, 1.5, "is a hane on the third line around {about}", "{about}への三線のハネです", Condition::Shape("X Q .\n. * .\n. . .\n. . .\n# # #")),
    new_rule("fourth-line-push", RuleFamily::Moyo, 1.2, "pushes along the fourth line above {about}", "{about}の上を四線で押します", Condition::Shape(". . .\nX * .\nO Q .\n. . .\n. . .\n# # #")),
    new_rule("second-line-hane-connect", RuleFamily::Endgame, 1.5, "connects {other}, a hane on the second line, to {about}", "{other}の二線のハネを{about}にツギます", Condition::Shape("? O Y ?\no Z * .\n? . . .\n# # # #")),
    new_rule("squeeze-edge", RuleFamily::Life, 1.2, "descends to the first line beside {about}", "{about}の脇で一線にサガります", Condition::Shape("X Q O\n* . .\n# # #")),
    new_rule("expand-edge", RuleFamily::Life, 1.2, "descends to the first line from {about}", "{about}から一線にサガります", Condition::Shape("O X X\n. * .\n# # #")),
    new_rule("pillow", RuleFamily::Connect, 1.2, "keeps {about} and {other} connected by a hanging stone", "{about}と{other}の連絡をカケツギで保ちます", Condition::Shape("Y . Z\n. * .\n? O ?")),
    new_rule("join-elephant", RuleFamily::Shape, 1.2, "joins the elephant's move between {about} and {other}", "{about}と{other}の象飛びをつなぎます", Condition::Shape("Y . ?\n. * ?\nO . Z")),
    new_rule("guard-one-point", RuleFamily::Connect, 1.2, "guards the one-point jump between {about} and {other} against the peep", "{about}と{other}の一間をノゾキから守ります", Condition::Shape("Y . Z\n. * .\nO ? ?")),
    new_rule("cap-wide", RuleFamily::Attack, 1.2, "looks down on {about} from three lines above", "{about}を遠くから見下ろします", Condition::Inward(". * .\n. . .\n. . .\n. O .\n. . .")),
    new_rule("high-approach-press", RuleFamily::Side, 1.5, "presses {about} from the fourth line", "{about}を四線から圧迫します", Condition::Shape(". * . .\n. Q . X\n. . . .\n. . . .\n# # # #")),
    new_rule("low-invasion", RuleFamily::Invade, 1.5, "enters on the second line under {about}", "{about}の裾、二線に入ります", Condition::Shape(". . O .\n. . . .\n* . . .\n. . . .\n# # # #")),
    new_rule("corner-placement", RuleFamily::Life, 1.2, "is a placement in the corner under {about}", "隅で{about}の内側にオキます", Condition::Shape("# O Q . .\n# . * . .\n# . . . .\n# # # # #")),
    new_rule("undercut-link", RuleFamily::Connect, 1.5, "links up below {about} at the edge", "{about}の辺側をくぐって連絡します", Condition::Shape("X Q X\n. * .\n# # #")),
    // What has a name wherever it stands: the least that can be said of a move in a fight.
    new_rule("second-line-push", RuleFamily::Endgame, 1.2, "crawls along the second line under {about}", "{about}の辺側を二線でハイます", Condition::Shape("O Q .\nX X *\n. . .\n# # #")),
    new_rule("split-elephant", RuleFamily::Shape, 1.2, "splits the elephant's move between {about} and {other}", "{about}と{other}の象飛びを割ります", Condition::Shape("Q . ?\n. * .\n? . R")),
    new_rule("enter-gap", RuleFamily::Shape, 1.0, "enters the wide gap between {about} and {other}", "{about}と{other}の広い間に入ります", Condition::Shape(". . . . .\nQ . * . R\n. . . . .")),
    new_rule("enter-diagonal", RuleFamily::Shape, 1.0, "goes between the diagonal stones {about} and {other}", "{about}と{other}のコスミの間に入ります", Condition::Shape("Q *\n+ R")),
    new_rule("push-in", RuleFamily::Shape, 0.8, "pushes up against {about}, followed by its own stone", "{about}に突き当たります", Condition::Shape("Q * X")),
    new_rule("empty-triangle", RuleFamily::Shape, 0.2, "makes an empty triangle with {about}", "{about}との形がアキ三角になります", Condition::Shape("Y *\nX .")),
    new_rule("join-two", RuleFamily::Shape, 1.0, "stands between {about} and {other}, joining them", "{about}と{other}をつなぎます", Condition::Shape("Y * Z")),
    new_rule("solid-step", RuleFamily::Shape, 1.0, "extends solidly from {about}", "{about}から固くノビます", Condition::Shape("Y *")),
    new_rule("diagonal-step", RuleFamily::Shape, 1.0, "moves diagonally from {about}", "{about}からコスミます", Condition::Shape("Y .\n. *")),
    new_rule("jump-step", RuleFamily::Shape, 1.0, "jumps one point from {about}", "{about}から一間にトビます", Condition::Shape("Y . *")),
    new_rule("knight-step", RuleFamily::Shape, 1.0, "moves by a knight's move from {about}", "{about}からケイマに打ちます", Condition::Shape("Y . ?\n? . *")),
    new_rule("two-step", RuleFamily::Shape, 1.0, "jumps two points from {about}", "{about}から二間にトビます", Condition::Shape("? . . ?\nY . . *\n? . . ?")),
    new_rule("touch", RuleFamily::Shape, 1.0, "touches {about}", "{about}に接触します", Condition::Shape("? . ?\nQ * .\n? . ?")),
    new_rule("corner-of", RuleFamily::Shape, 1.0, "plays diagonally at {about}", "{about}のカドに打ちます", Condition::Shape("Q .\n. *")),
    new_rule("face", RuleFamily::Shape, 1.0, "faces {about} across one point", "一間の間合いで{about}に迫ります", Condition::Shape("? . .\nQ . *\n? . .")),
    new_rule("face-knight", RuleFamily::Shape, 1.0, "comes within a knight's move of {about}", "ケイマの間合いで{about}に迫ります", Condition::Shape("Q . .\n. . *\n? . .")),
];

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram};

    use super::*;
    use crate::rules::pattern::{KnownSurroundings, NamedStones, ShapePattern, may_be};
    use crate::rules::tests::said;
    use crate::rules::{PATTERNS, all_rules};

    /// A place where everything may be as a pattern wants it, but for one point of which more is known.
    #[derive(Default)]
    struct Anywhere {
        known: Option<((i8, i8), u8)>,
        /// The last move, if not any stone may be it.
        last: Option<(i8, i8)>,
    }

    impl KnownSurroundings for Anywhere {
        fn may_be(&self, x: i8, y: i8) -> u8 {
            self.known.filter(|&(at, _)| at == (x, y)).map_or(0, |(_, bits)| bits)
        }
        fn may_be_taken(&self, _: i8, _: i8) -> bool {
            false
        }
        fn may_be_one_chain(&self, _: (i8, i8), _: (i8, i8)) -> bool {
            false
        }
        fn is_last(&self, x: i8, y: i8) -> bool {
            self.last.is_none_or(|last| last == (x, y))
        }
        fn is_on_line(&self, _: usize) -> bool {
            true
        }
        fn is_inward(&self, _: i8, _: i8) -> bool {
            true
        }
    }

    fn named(pattern: &ShapePattern) -> NamedStones<(i8, i8)> {
        pattern.matches_around(&Anywhere::default()).expect("it matches where all is as it wants")
    }

    #[test]
    fn sentences_name_stones_that_the_pattern_has() {
        for (rule, pattern) in PATTERNS.iter() {
            let [about, other] = named(pattern);
            for sentence in [rule.english, rule.japanese] {
                assert!(about.is_some() || !sentence.contains("{about}"), "{}: {sentence}", rule.name);
                assert_eq!(other.is_some(), sentence.contains("{other}"), "{}: {sentence}", rule.name);
            }
        }
    }

    /// Only a pattern with an edge knows a line, and it is the one that the sentence names.
    #[test]
    fn sentences_name_the_line_that_the_pattern_has() {
        const LINES: [(&str, &str); 4] = [
            ("first line", "一線"),
            ("second line", "二線"),
            ("third line", "三線"),
            ("fourth line", "四線"),
        ];
        let mut with_line = 0;
        for (rule, pattern) in PATTERNS.iter() {
            for (line, (english, japanese)) in (1..).zip(LINES) {
                for (sentence, named) in [(rule.english, english), (rule.japanese, japanese)] {
                    if sentence.contains(named) {
                        assert_eq!(pattern.edge_line(), Some(line), "{}: {sentence}", rule.name);
                        with_line += 1;
                    }
                }
            }
            let towards = [" under ", " below ", " above ", "の辺側"];
            let has_direction =
                towards.iter().any(|word| rule.english.contains(word) || rule.japanese.contains(word));
            assert!(!has_direction || pattern.edge_line().is_some(), "{}: {}", rule.name, rule.english);
        }
        assert!(with_line > 20);
    }

    /// What is said of an answer, or of something that was just done, is said of the last move only. Functions look at it themselves.
    #[test]
    fn answers_are_to_the_last_move() {
        const JUST_DONE: [&str; 4] = ["the hane at", "the turn at", "after the", "just "];
        let speaks = |rule: &&Rule| {
            let names = rule.name.starts_with("answer-") || rule.name == "draw-back";
            let says = JUST_DONE.iter().any(|words| rule.english.contains(words));
            let looks = matches!(rule.condition, Condition::Find(_));
            rule.english.starts_with("answers the") || (names || says) && !looks
        };
        let found: Vec<_> = all_rules().filter(speaks).collect();
        for rule in &found {
            assert!(matches!(rule.condition, Condition::Answer(_)), "{}", rule.name);
        }
        for name in ["answer-hane-cut", "answer-peep", "counter-hane", "draw-back"] {
            assert!(found.iter().any(|rule| rule.name == name), "{name}");
        }
    }

    /// All symmetries are tried, so that one place next to the move stands for every one.
    #[test]
    fn a_hane_stands_next_to_no_friend() {
        let mut count = 0;
        for (rule, pattern) in PATTERNS.iter() {
            if ["is a hane", "by a hane", "double hane"].iter().any(|words| rule.english.contains(words)) {
                let beside = Anywhere { known: Some(((1, 0), may_be::OWN)), last: None };
                assert_eq!(pattern.matches_around(&beside), None, "{}", rule.name);
                count += 1;
            }
        }
        assert!(count > 8);
    }

    /// The hane is next to the move, at (1, 0).
    #[test]
    fn a_hane_that_is_answered_stands_next_to_no_stone_of_its_side() {
        for name in ["counter-hane", "answer-hane-cut"] {
            let (last, pattern) = (Some((1, 0)), pattern(name));
            assert!(pattern.matches_around(&Anywhere { known: None, last }).is_some(), "{name}");
            for at in [(2, 0), (1, 1), (1, -1)] {
                let beside = Anywhere { known: Some((at, may_be::ENEMY)), last };
                assert_eq!(pattern.matches_around(&beside), None, "{name}");
            }
        }
    }

    fn pattern(name: &str) -> &'static ShapePattern {
        let (_, pattern) = PATTERNS.iter().find(|(rule, _)| rule.name == name).expect("a rule of this name");
        pattern
    }

    /// Does a shape lie at a move of Black?
    fn is_told(name: &str, rows: &str, last: Option<&str>, mv: &str) -> bool {
        let board = rows.parse::<Diagram>().unwrap().to_board().unwrap();
        let last = last.map(|last| board.size().parse_move(last).unwrap().point().unwrap());
        let mut found = false;
        pattern(name).find_matches(&board, Color::Black, last, |at, _| found |= at.to_string() == mv);
        found
    }

    /// The points `x` and `o` are empty; a stone of Black or White on one of them makes another shape.
    fn holds_without(name: &str, rows: &str, last: Option<&str>, mv: &str) {
        let emptied = |rows: &str| rows.replace(['x', 'o'], ".");
        assert!(is_told(name, &emptied(rows), last, mv), "{name}");
        for (at, stone) in rows.match_indices(['x', 'o']) {
            let with = format!("{}{}{}", &rows[..at], stone.to_uppercase(), &rows[at + 1..]);
            assert!(!is_told(name, &emptied(&with), last, mv), "{name}: {with}");
        }
    }

    #[test]
    fn what_extends_or_turns_is_no_hane() {
        let rows = ". . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. O X . . .\nx . x . . .";
        holds_without("hane-under", rows, None, "B1");
        let rows = ". . . . . .\nx . . . . .\n. O . . . .\n. X . . . .\n. . . . . .\n. . . . . .";
        holds_without("hane-at-edge-corner", rows, None, "A4");
        let rows = ". . . . . .\n. . . x . .\n. . x . x .\n. . X O . .\n. . . . . .\n. . . . . .";
        holds_without("answer-attach-hane", rows, Some("D3"), "D4");
        let rows = ". . . . . .\n. . . . . .\n. O O o . .\n. X X O o .\n. . x . x .\n. . . x . .";
        holds_without("counter-hane", rows, Some("D3"), "D2");
        let rows = ". . . . . .\n. . o . . .\n. o O . . .\n. . X O . .\n. . . . . .\n. . . . . .";
        holds_without("answer-hane-cut", rows, Some("C4"), "D4");
        let rows = ". . . . . .\n. . . . . .\n. . . . . .\n. O X . . .\nx X . . . .\n. . . . . .";
        holds_without("second-line-hane-connect", rows, None, "C2");
    }

    #[test]
    fn a_stone_is_drawn_back_after_a_turn() {
        let rows = ". . . . . .\n. . . . . .\n. O O O . .\n. X X O o .\n. . . . . .\n. . . . . .";
        holds_without("draw-back", rows, Some("D3"), "C2");
        assert!(!is_told("draw-back", &rows.replace('o', "."), Some("D4"), "C2"), "D4 has not turned");
        let before = rows.replace("X X O o", "X X . .");
        let told = said(&before, Some("D3"), "C2");
        assert!(told.contains(&"draws back from C3 after the turn at D3".to_string()), "{told:?}");
    }

    /// Every `x` would make one chain of the two.
    #[test]
    fn what_is_one_chain_is_not_connected() {
        let rows = ". . . . . .\n. X . X . .\n. X x X . .\n. . . . . .\n. . . . . .\n. . . . . .";
        holds_without("join-two", rows, None, "C5");
        let rows = ". . . . . .\n. . . . . .\n. O X X . .\n. X . X . .\n. X X x . .\n. . . . . .";
        holds_without("solid-connection", rows, None, "C3");
        let rows = ". . . . . .\n. O X X X .\nX X . . X .\nX . . . X .\nX X x X X .\n. . . . . .";
        holds_without("hanging-connection", rows, None, "C3");
        let rows = ". . . . . .\n. X x X . .\n. X . X . .\n. . . . . .\n. . O . . .\n. . . . . .";
        holds_without("pillow", rows, None, "C3");
        let rows = ". . . . . .\n. X x X . .\n. X . X . .\n. . O . . .\n. . . . . .\n. . . . . .";
        holds_without("answer-peep", rows, Some("C3"), "C4");
    }

    #[test]
    fn no_sentence_speaks_of_a_neighbour_without_a_name() {
        let vague = all_rules()
            .filter(|rule| rule.english.contains("its neighbour") || rule.japanese.contains("隣の石"));
        assert_eq!(vague.map(|rule| rule.name).collect::<Vec<_>>(), [""; 0]);
    }
}
