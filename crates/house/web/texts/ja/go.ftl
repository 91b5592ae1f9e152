# The texts of ishi's workbench: go.

go-a-click-goes-to-that-move = クリックでその手へ移動。
go-a-click-goes-to-that-move-sentence = クリックでその手へ移動。丸は教訓の手。
go-a-click-on-the-board = 盤のクリック
go-a-cross-of-five = 花五
go-a-draw = 持碁
go-a-file-sgf = ファイル (SGF)
go-a-line-is-shown-go-back = 変化図を表示中です。打つには対局へ戻ってください。
go-a-line-move-at-of-count = 変化図 {"{at}"}/{"{count}"} 手
go-a-new-game = 新しい対局
go-a-person = 人
go-after-line = {"{line}"} の後
go-after-this-move-black-wins-share = この手の後の黒の勝率 {"{share}"} %、リード {"{lead}"}
go-aga-rules = AGA ルール
go-agree = 確定
go-agree-to-the-count = この計算で確定
go-all-problems = 問題一覧
go-all-problems-in-practice = すべての問題
go-an-engine-by-its-name = エンジン名で指定 …
go-an-engine-by-its-name-write = エンジン名を入力してください（例：go-mcts:playouts=2000）
go-analyse-this-position = この局面を解析
go-analysis = 解析
go-answer = 答え
go-as-the-rules-say = ルールどおり
go-ask = 聞く
go-back = 1手戻る
go-back-to-the-game = 対局へ戻る
go-begin = 対局開始
go-begin-again = 最初から
go-beside-the-board = 盤の横
go-best-moves = 候補手
go-black = 黒
go-black-stone = 黒石を置く
go-black-to-move = 黒番
go-black-to-play-here = 黒番にする
go-black-to-play-save-the-group = 黒先活き：
go-black-to-play-take-the-group = 黒先白死：
go-black-word = 黒
go-blacks-lead-in-points = 黒のリード（目）
go-blacks-lead-up-to-points = 黒のリード（上端は { $most } 目）
go-blacks-rank = 黒の段級
go-blacks-win-rate = 黒の勝率
go-blacks-win-rate-and-lead-from = 黒の勝率とリードの推移
go-board = 碁盤
go-board-arrow-keys-move-enter-plays = 碁盤：矢印キーで移動、Enter で着手
go-bulky-five = 五目ナカデ
go-captures-count = 、{"{count}"}子取り
go-captures-what-it-can = 取れる石を取る
go-chains-and-liberties = 連と呼吸点
go-chinese-rules = 中国ルール
go-choose = 選択 …
go-clock = 時計
go-clock-placeholder = なし（例：300+10x3）
go-color-plays-point = {"{color}"} {"{point}"}
go-comment-on-this-position = この局面のコメント
go-connections = 連絡
go-count = 計算
go-count-in-view = 地を数える
go-crossed-stones-are-taken-off-click = ×の石は取り除かれます。石をクリックすると変更できます。
go-date = 日付
go-delete-from-here = ここから削除
go-details = 詳しく
go-due = 今日
go-due-now = 今日の問題：{ $due } 問（全 { $all } 問）
go-engines-by-their-names = エンジン名で指定
go-erase = 石を消す
go-event = 棋戦
go-every-move-is-read-out-a = 打った手はすべて読み切って判定します。間違いには最善の応手、正解には最強の抵抗で応じます。
go-expected = 読み筋
go-eyes = 眼
go-facts-and-variations = 対局情報と変化
go-flat-monte-carlo = 原始モンテカルロ
go-for-a-beginner = 入門者向け
go-for-a-dan-player = 有段者向け
go-for-a-kyu-player = 級位者向け
go-for-whom = 説明の相手
go-game = 対局
go-games-on-this-machine = 保存された対局
go-go = 囲碁
go-groups-and-their-strength = 石の強弱
go-handicap = 置石
go-handicap-word = 置石
go-illegal-ko =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：コウなので、すぐには取り返せません
go-illegal-occupied =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $by ->
        [black] 黒
       *[white] 白
    }石があります
go-illegal-outside =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $size } の碁盤にない点です
go-illegal-suicide =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：着手禁止点です（石のダメがなくなります）
go-illegal-superko =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $rule ->
        [situational] 同形反復（手番も同じ）
       *[positional] 同形反復
    }で、{ $number } 手目の局面に戻ります
go-illegal-superko-of-start =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $rule ->
        [situational] 同形反復（手番も同じ）
       *[positional] 同形反復
    }で、開始局面に戻ります
go-in-days = { $days } 日後
go-in-words-and-numbers = 数値で見る
go-influence = 勢力
go-ishi-by-its-network = ishi（ニューラルネット）
go-ishi-by-playouts-level = ishi（プレイアウト、レベル{ $level }）
go-ishi-by-rules-alone = ishi（規則のみ）
go-ishi-goes-through-the-whole-game = 一局を最後まで検討し、損の大きかった手を選びます。それぞれが盤上で答える問題になります。
go-ishi-is-thinking = 考慮中 …
go-ishi-of-rank = ishi（{ $rank }）
go-ishi-reads-and-searches-seconds-s = 読みと探索の最中です：{"{seconds}"} 秒経過（通常は約 {"{usual}"} 秒）
go-it-comes-to-a-ko-is = コウになります。もっと良い手はありませんか。
go-it-is-the-engines-turn-wait = エンジンの手番です。お待ちください
go-it-took-a-while = 少し考えた
go-it-was-easy = すぐ分かった
go-it-was-hard = 難しかった
go-japanese-rules = 日本ルール
go-judged-by-shapes-and-reading-without = 形と読みによる静的な判断です（探索による解析とは異なることがあります）。
go-keep-the-comment = コメントを保存
go-keep-the-facts = 対局情報を保存
go-komi = コミ
go-komi-is-no-number-write-points = コミ { $text } は数ではありません（例：6.5）
go-komi-it-must-be-from-to = コミ { $text }：-{ $most_komi } から { $most_komi } までの目数を入力してください
go-komi-word = コミ
go-kyu = { $kyu }級
go-ladders-and-captures = シチョウと取り
go-learn = 学ぶ
go-lessons = この碁の教訓
go-let-the-engine-move = エンジンに打たせる
go-let-these-mistakes-be-asked-again = この失着をあとで復習する
go-level-of-knowledge = 知識の層
go-life-and-death-judged-by-reading = 死活の問題（読みで判定）
go-line-wins-share-lead-lead = {"{line}"}：勝率 {"{share}"} %、リード {"{lead}"}
go-make-this-the-main-line = 本譜にする
go-mark-circle = 印：丸
go-mark-cross = 印：ばつ
go-mark-letter = 印：文字
go-mark-square = 印：四角
go-mark-triangle = 印：三角
go-move = 手
go-move-in-view = 手数
go-move-lost-and-stands = −{ $points } 目、−{ $share } %（黒の勝率 { $black } %、リード { $lead } 目）
go-moves = 手順
go-moves-that-are-reviewed = 検討済みの手数
go-new-game = 新しい対局
go-new-zealand-rules = ニュージーランドルール
go-next = 次の手
go-next-in-practice = 次へ
go-next-problem = 次の問題
go-no-column-i = { $text }：I の列は使いません
go-no-games-yet-begin-one-open = まだ対局がありません。対局を始めるか、棋譜または見本を開いてください。
go-no-move-lost-much = 大きな損の手はありません。
go-no-move-was-played-here = ここでは手が打たれていません
go-no-vertex =
    { $text } は点ではありません：D4 のように列の文字と行の数字{ $pass ->
        [yes] （または pass）
       *[no] {""}
    }を書いてください
go-none = なし
go-none-yet-open-a-game-and = まだありません。対局を開いて「検討」してください。
go-notes = メモ
go-nothing-is-called = { $what } はありません
go-now-line = 探索中：{"{line}"}
go-numbers-on-the-stones = 手順番号を表示
go-oddities-of-the-record = 棋譜の不備
go-on = 1手進む
go-on-the-edge = 辺の三目
go-one-file-that-shows-game-review = 対局・検討・教訓を ishi なしで表示できるファイル
go-open = 開く
go-open-a-record = 棋譜を開く
go-or-its-text = または本文
go-pass = パス
go-pass-in-view = パス
go-place = 場所
go-play = 着手
go-play-on = 対局を続ける
go-play-on-in-view = 続ける
go-positions = 局面
go-prisoners = アゲハマ
go-problems = 詰碁
go-problems-out-of-your-reviewed-games = 検討した対局の失着が問題になり、忘れかけた頃にまた出題されます。
go-rabbity-six = 花六
go-random-moves = でたらめ
go-reading-shapes-groups-and-answers = 形・石の強弱・応手を読んでいます …
go-remove = 削除
go-resign = 投了
go-resign-question = 投了しますか？
go-result = 結果
go-review = 検討
go-review-again = もう一度検討
go-review-of-the-game = 一局の検討
go-review-the-whole-game = 一局を検討
go-reviewed-games = 検討済みの対局
go-right-so-far-go-on = 正解です。続けてください。
go-rules = ルール
go-save-as-sgf = SGF を保存
go-save-the-five = 五目ナカデ（活きる）
go-score = 目差
go-seconds-300-for-the-game-300 = 秒：300＝持ち時間、300+5＝1手ごとに5秒加算、300+10x3＝10秒の秒読み3回、300+60/15＝60秒で15手。
go-set-up = 置き石
go-share-html = 共有（HTML）
go-six-in-the-corner = 隅の六目
go-six-outside-closed = 隅の六目（活き）
go-solved-nothing-changes-it-any-more = 正解！もう変わりません。
go-spot-it-must-be-at-most = 局面名 { $spot } は英数字 { $longest_spot } 字以内でなければなりません
go-stop = 止める
go-stop-the-review = 検討を止める
go-strategy = 戦略
go-suggested-moves = 候補の手
go-take-it-away = 三目ナカデ（殺す）
go-tap-again-to-play-point = もう一度タップすると {"{point}"} に打ちます
go-territory-and-moyos = 地と模様
go-that-is-refuted-by-the-last = 失敗です。最後の手が反撃です。
go-that-was-not-read-to-the = 読み切れませんでした。
go-the-better-line = 正解の進行
go-the-cross-attacked = 花五（殺す）
go-the-game = この対局
go-the-game-has-moves-is-the = { $moves } 手あります（検討は { $longest } 手まで）
go-the-game-in-view = 対局
go-the-lesson = この問題の教訓
go-the-lessons-are-being-chosen = 教訓を選んでいます …
go-the-position-as-it-is = 現在の局面
go-the-record-has-nodes-is-the = 節点が { $nodes } あります（{ $most_nodes } まで）
go-the-sample-game = 見本の棋譜
go-there-is-no-game-in-this = この棋譜には対局がありません
go-there-is-no-move-to-review = 検討する手がまだありません
go-there-is-no-node-the-record = 節点 { $number } はありません（0 から { $last } まで）
go-there-is-no-problem = 問題 { $key } はありません
go-there-is-no-problem-there-are = 問題 { $number } はありません（1〜{ $most }）
go-there-is-no-record-choose-a = 棋譜がありません。ファイルを選ぶか、「(;」で始まる SGF を貼り付けてください
go-there-is-no-table-was-it = 対局 { $key } はありません
go-thinking = 考えています …
go-this-attempt-is-long-enough-begin = 手数が多すぎます。最初からどうぞ
go-three-in-a-row = 三目ナカデ
go-time-left = 残り約 { $minutes }:{ $seconds }
go-to-move = 手番
go-to-the-beginning = 最初へ
go-to-the-end = 最後へ
go-tromp-taylor-rules = トロンプ・テイラールール
go-try-it-here = ここで打ってみる
go-turning-points = 形勢の転換
go-undo = 待った
go-variations = 変化
go-verdict-as-good = { $point } も同じくらい良い手です。
go-verdict-as-in-the-game = { $point } は実戦の手で、損をしました。
go-verdict-right = 正解、{ $point }。
go-verdict-wrong = { $point } ではありません。
go-vertex-outside = { $text }：{ $size } の碁盤は A1 から { $corner } までです
go-visits = 訪問数
go-what-followed = 実戦への応手
go-what-ishi-sees = ishi の見方
go-what-to-play-and-why = 次の一手とその理由
go-what-to-play-and-why-in-view = 次の一手は？
go-white = 白
go-white-stone = 白石を置く
go-white-to-move = 白番
go-white-to-play-here = 白番にする
go-white-to-play-save-the-group = 白先活き：
go-white-to-play-take-the-group = 白先黒死：
go-white-word = 白
go-whites-rank = 白の段級
go-why = なぜ？
go-why-move = なぜ{ $mv }か
go-why-not = なぜここではない
go-why-not-here = なぜここではない？
go-why-not-point = なぜ{ $point }ではないか
go-why-the-last-move = 最後の手の理由
go-wins = 勝率
go-wins-by-points = { $name }の{ $points }目勝ち
go-wins-by-resignation = { $name }の中押し勝ち
go-wins-on-time = { $name }の時間切れ勝ち
go-your-move = どうぞ。
go-your-own-mistakes = 自分の失着から
go-your-own-mistakes-asked-again-in = 自分の失着を忘れた頃に復習
