//! What rules forbid, in the words of whoever asks: the libraries' errors carry a kind and its fields, the texts are in the files.

use ishi_go::{KoRule, Point, VertexError};

use super::error::PageError;
use super::texts::{PageText, args};

/// Why a move of Go is illegal.
impl From<ishi_go::IllegalMove> for PageError {
    fn from(error: ishi_go::IllegalMove) -> PageError {
        use ishi_go::BrokenRule;
        let ishi_go::IllegalMove { color, point, rule } = error;
        PageError::invalid_input(match rule {
            BrokenRule::Outside { size } => PageText::with("go-illegal-outside", args![color, point, size]),
            BrokenRule::Occupied { by } => PageText::with("go-illegal-occupied", args![color, point, by]),
            BrokenRule::Suicide => PageText::with("go-illegal-suicide", args![color, point]),
            BrokenRule::Ko => PageText::with("go-illegal-ko", args![color, point]),
            BrokenRule::Superko { rule, move_number } => {
                let rule = if rule == KoRule::Situational { "situational" } else { "positional" };
                match move_number {
                    0 => PageText::with("go-illegal-superko-of-start", args![color, point, rule]),
                    number => PageText::with("go-illegal-superko", args![color, point, rule, number]),
                }
            }
        })
    }
}

/// Why a text is no point of a Go board.
impl From<VertexError> for PageError {
    fn from(error: VertexError) -> PageError {
        PageError::invalid_input(match error {
            VertexError::Form { text, may_pass } => {
                let pass = if may_pass { "yes" } else { "no" };
                PageText::with("go-no-vertex", args![text = format!("{text:?}"), pass])
            }
            VertexError::ColumnI { text } => {
                PageText::with("go-no-column-i", args![text = format!("{text:?}")])
            }
            VertexError::Outside { text, size } => {
                let corner = Point::new(size.width() - 1, size.height() - 1);
                PageText::with("go-vertex-outside", args![text = format!("{text:?}"), size, corner])
            }
        })
    }
}

/// Why a move of Othello is illegal.
impl From<ishi_othello::IllegalMove> for PageError {
    fn from(error: ishi_othello::IllegalMove) -> PageError {
        use ishi_othello::BrokenRule;
        let ishi_othello::IllegalMove { color, mv, rule } = error;
        PageError::invalid_input(match rule {
            BrokenRule::Occupied => PageText::with("othello-illegal-occupied", args![color, mv]),
            BrokenRule::TurnsNothing => PageText::with("othello-illegal-turns-nothing", args![color, mv]),
            BrokenRule::MustPlay(square) => PageText::with("othello-illegal-pass", args![color, square]),
            BrokenRule::GameOver => PageText::with("othello-illegal-game-over", args![color, mv]),
            BrokenRule::OtherTurn => {
                PageText::with("othello-illegal-other-turn", args![color, mv, other = !color])
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::BoardSize;
    use ishi_words::Language;

    use super::*;
    use crate::workbench::visitor::Visitor;

    /// English says what the library says, and Japanese says it in Japanese with the same place.
    fn assert_told<E: ToString + Into<PageError>>(error: E, japanese: &str) {
        let english = error.to_string();
        let told: PageError = error.into();
        let words = |language| told.localized_message(&Visitor::for_language(language));
        assert_eq!(words(Language::English), english);
        assert_eq!(words(Language::Japanese), japanese);
    }

    #[test]
    fn what_the_rules_of_go_forbid_is_said_in_both_languages() {
        use ishi_go::{BrokenRule, Color, IllegalMove};
        let size = BoardSize::square(9).unwrap();
        let point = size.parse_point("D4").unwrap();
        let illegal = |rule| IllegalMove { color: Color::Black, point, rule };
        assert_told(illegal(BrokenRule::Outside { size }), "黒 D4 は打てません：9x9 の碁盤にない点です");
        assert_told(illegal(BrokenRule::Occupied { by: Color::White }), "黒 D4 は打てません：白石があります");
        assert_told(
            illegal(BrokenRule::Suicide),
            "黒 D4 は打てません：着手禁止点です（石のダメがなくなります）",
        );
        assert_told(illegal(BrokenRule::Ko), "黒 D4 は打てません：コウなので、すぐには取り返せません");
        let superko = |rule, move_number| illegal(BrokenRule::Superko { rule, move_number });
        assert_told(
            superko(KoRule::Situational, 0),
            "黒 D4 は打てません：同形反復（手番も同じ）で、開始局面に戻ります",
        );
        assert_told(
            superko(KoRule::Positional, 12),
            "黒 D4 は打てません：同形反復で、12 手目の局面に戻ります",
        );
        let white = IllegalMove { color: Color::White, ..illegal(BrokenRule::Ko) };
        assert_told(white, "白 D4 は打てません：コウなので、すぐには取り返せません");
    }

    #[test]
    fn what_is_no_point_is_said_in_both_languages() {
        let size = BoardSize::square(9).unwrap();
        let told = |text: &str, japanese: &str| assert_told(size.parse_point(text).unwrap_err(), japanese);
        told("there", "\"there\" は点ではありません：D4 のように列の文字と行の数字を書いてください");
        told("I4", "\"I4\"：I の列は使いません");
        told("K10", "\"K10\"：9x9 の碁盤は A1 から J9 までです");
        let form = VertexError::Form { text: "x".to_string(), may_pass: true };
        assert_told(
            form,
            "\"x\" は点ではありません：D4 のように列の文字と行の数字（または pass）を書いてください",
        );
    }

    #[test]
    fn what_the_rules_of_othello_forbid_is_said_in_both_languages() {
        use ishi_othello::{BrokenRule, Color, IllegalMove, Move};
        let mv: Move = "d3".parse().unwrap();
        let illegal = |rule| IllegalMove { color: Color::White, mv, rule };
        assert_told(illegal(BrokenRule::Occupied), "白は d3 に打てません：石があります");
        assert_told(illegal(BrokenRule::TurnsNothing), "白は d3 に打てません：返せる石がありません");
        let square = mv.square().unwrap();
        assert_told(illegal(BrokenRule::MustPlay(square)), "白はパスできません：d3 などに打てます");
        assert_told(illegal(BrokenRule::GameOver), "白は d3 に打てません：終局しています");
        assert_told(illegal(BrokenRule::OtherTurn), "白は d3 に打てません：黒の番です");
    }
}
