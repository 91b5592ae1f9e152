# The texts of ishi's workbench: othello.

othello-a-click-goes-to-that-move = クリックでその手へ移動。丸は教訓の手。
othello-a-draw = 引き分け
othello-a-game-between-two-engines = エンジン同士の一局
othello-a-line-is-shown-go-back = 変化図を表示中です。打つには対局へ戻ってください。
othello-a-line-move-at-of-count = 変化図 {"{at}"}/{"{count}"} 手
othello-a-person = 人
othello-after = 手順
othello-analyse = 解析する
othello-analysis = 解析
othello-answer = 答え
othello-at-the-start = 開始局面
othello-back-to-the-game = 対局へ戻る
othello-beside-the-board = 盤の横
othello-better = 最善手
othello-black = 黒
othello-black-wins = 黒の勝ち
othello-blacks-lead-in-discs = 黒の石差
othello-blacks-lead-in-discs-after-every = 各手後の黒の石差
othello-blacks-lead-in-discs-with-best = その後最善を尽くしたときの黒の石差
othello-board = 盤面
othello-book-and-tournament-games = 定石と大会の棋譜
othello-by-resignation = （投了）
othello-cannot-be-shown-on-the-squares = { $overlay } は表示できません
othello-click-to-go-there-dots-are = クリックでその手へ移動。丸は3石以上の損。
othello-color-had-to-pass = {"{color}"}はパス。
othello-color-plays-square-count-flipped = {"{color}"} {"{square}"}、{"{count}"}個返し
othello-color-to-move = {"{color}"}番
othello-copy-and-download = コピーとダウンロード
othello-copy-the-board = 盤面をコピー
othello-copy-the-transcript = 棋譜をコピー
othello-delete = 削除
othello-discs = 石差
othello-discs-in-view = 石数
othello-discs-with-best-play-blue-is = 最善進行での石差。青が最善、赤は損。
othello-done = 完了
othello-empty-squares = マス空き
othello-engines-go-on = エンジンを再開
othello-engines-wait = エンジンは待機中
othello-estimated = 推定
othello-evaluations-out-of-files = ファイルの評価関数
othello-exact-endgame = 終盤の完全読み
othello-file = ファイル
othello-from-30-empty-squares-on-the = 空きマスが30以下になると完全読みができます。
othello-game = 対局
othello-game-of-the-file = ファイル内の番号
othello-games = 局数
othello-games-in-entrance = 対局一覧
othello-games-of-the-wthor-database = WTHORの棋譜を調べる
othello-games-the-side-to-move-won = { $games }局、手番側の{ $won }勝{ $lost }敗{ $drawn }分
othello-had-to-pass = はパス。
othello-heat = 寄与:{" "}
othello-heat-map-what-each-square-adds = ヒートマップ（各マスの寄与）
othello-illegal-game-over =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：終局しています
othello-illegal-occupied =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：石があります
othello-illegal-other-turn =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：{ $other ->
        [black] 黒
       *[white] 白
    }の番です
othello-illegal-pass =
    { $color ->
        [black] 黒
       *[white] 白
    }はパスできません：{ $square } などに打てます
othello-illegal-turns-nothing =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：返せる石がありません
othello-invalid-time-write-a-number-from = 時間 { $text } は使えません。0から600までの数を書いてください
othello-it-is-the-engines-turn = エンジンの手番です
othello-judging-moves-left = 検討中、残りの手数:{" "}
othello-keep = 追加する
othello-learn = 学ぶ
othello-legal-moves = 打てる所
othello-lesson-title = { $number }手目：{ $name } { $square }
othello-lessons = この対局の教訓
othello-level = レベル
othello-level-in-view = レベル
othello-level-of-review = レベル
othello-line = 読み筋
othello-looking = 解析中…
othello-looking-back = 振り返り中
othello-looking-back-at-count = 、振り返り中 ({"{at}"}/{"{count}"})
othello-lost = 石損
othello-lost-discs-a-move-the-best = { $name }: 石損{ $loss }個、1手平均{ $mean }個、最善手{ $choices }手中{ $best }手
othello-lost-discs-what-is-better = { $square } は石損{ $loss }個。より良い手は？
othello-may-be-played = 打てる
othello-minutes-each = 持ち時間（分）
othello-move = 手
othello-move-in-view = 手数
othello-move-number = { $number }手目
othello-moves = 手
othello-moves-label = 各手:{" "}
othello-moves-of-the-book = 定石の手
othello-moves-of-the-game = 棋譜の移動
othello-moves-one-ply-ahead = 各手（一手読み）
othello-moves-that-lost-most = 損の大きい手
othello-name = 名前
othello-new-game = 新しい対局
othello-no-clock = なし
othello-no-move-lost-3-discs-or = 3石以上の損や敗着はありません。
othello-no-moves-yet = まだ手がありません。
othello-no-person-plays-here = 対局しているのはエンジンだけです
othello-none = なし
othello-none-yet-begin-a-game-or = まだありません。対局を始めるか、棋譜を貼り付けてください。
othello-on-the-squares = マスに表示
othello-on-time = （時間切れ）
othello-one-file-that-shows-game-review = 対局・検討・教訓を ishi なしで表示できるファイル
othello-one-move-back = 一手戻る
othello-one-move-on = 一手進む
othello-open = 開く
othello-open-a-record-or-a-position = 棋譜や局面を開く
othello-opening = 定石
othello-opening-label = 定石名:{" "}
othello-or-a-file = またはファイル
othello-othello = オセロ
othello-othello-board = オセロの盤面
othello-parameters = パラメータ
othello-person = 人
othello-piece-counter-out-of-a-file = ファイルのマスの重み（WPC）
othello-play = 対局する
othello-play-on-from-here = ここから対局
othello-player = 対局者
othello-players = 対局者
othello-points = 得点率
othello-positions = 局面、
othello-positions-with-30-empty-squares-or = 空きマスが30以下で終局していない局面だけを読み切れます
othello-resign = 投了
othello-resign-question = 投了しますか？
othello-review = 検討
othello-review-the-game = 対局を検討する
othello-seconds-more-a-move = 1手ごとの加算（秒）
othello-semicolon = 、
othello-share-html = 共有（HTML）
othello-side = 手番
othello-so-far = 現在{" "}
othello-solve-the-endgame = 終盤を完全に読む
othello-solving = 完全読み中{" "}
othello-solving-in-view = 完全読み中
othello-something-to-look-at = 見本:
othello-start-from = 開始局面
othello-stop = 中止
othello-stop-analysing = 解析を止める
othello-stop-the-engine = エンジンを止める
othello-sum = 合計{" "}
othello-sure = 確度
othello-take-back = 待った
othello-the-analysis-is-off = 解析は止まっています。
othello-the-better-line = 正解の進行
othello-the-book-does-not-know-this = 定石にない局面です。
othello-the-engine-is-thinking = エンジンが考えています…
othello-the-engine-is-to-move-the = エンジンの手番です。着手後に解析します。
othello-the-evaluation-after-the-move-blue = 着手後の評価値。青が最善、赤が最悪。
othello-the-evaluation-needs-a-name = 名前を付けてください
othello-the-file-did-not-arrive-whole = ファイルが正しく届いていません。選び直してください
othello-the-game = 対局
othello-the-game-is-over = 対局は終わっています
othello-the-game-is-over-label = 終局:{" "}
othello-the-game-is-over-sentence = 終局しています。
othello-the-level-1-weak-20-strong = レベル（1が弱く20が強い）はエンジン othello 用です。パラメータを書けばそちらが優先されます。
othello-the-line-that-was-left = 元の手順へ
othello-the-losing-move = 敗着
othello-the-piece-counter-is-not-there = そのWPCはもうありません。別の相手を選んでください
othello-the-usual-start-or-f5d6c3-or = 通常の初形。f5d6c3 や盤面も可
othello-there-are-no-moves-to-review = 検討する手がありません
othello-there-is-no-game-it-may = 対局 { $key } はありません（削除された可能性があります）
othello-there-is-no-game-the-text = { $number }番目の対局はありません（全{ $count }局）
othello-there-is-no-here = { $action } はありません
othello-there-is-no-here-value = { $name } はありません
othello-there-is-no-move-to-take = 戻す手がありません
othello-this-is-no-evaluation = 評価関数のファイルではありません: { $error }
othello-this-server-has-no-games-of = このサーバーにはWTHORの棋譜がありません。--othello-games を付けて起動してください
othello-time = 残り時間
othello-to-move = 番
othello-to-the-last-move = 最後へ
othello-to-the-start = 最初へ
othello-transcript = 棋譜
othello-transcript-f5d6c3-board-sgf-ggf-obf = 棋譜（f5d6c3…）、盤面、SGF・GGF・OBF、棋譜入りのリンク
othello-transcript-in-view = 棋譜テキスト
othello-try-it-here = ここで打ってみる
othello-up-to-level = レベル上限
othello-values = 評価値
othello-values-of-the-moves = 各手の評価
othello-values-of-the-moves-by-search = 各手の探索値
othello-what-each-square-adds-for-the = 手番側にとっての各マスの寄与。青が良く、赤が悪い。
othello-what-ishi-othello-evaluation-fit-or = ishi othello evaluation fit や train の出力、マスの重み（WPC）、公開されたネットワークを盤上に表示できます。WPCは対局相手にもなります。
othello-where-one-may-play = 打てる所
othello-white = 白
othello-white-wins = 白の勝ち
othello-why = 理由
othello-with-best-play-after-this-move = この手の後、双方最善なら黒の石差は {"{lead}"}。
othello-with-best-play-by-both-proved = （双方最善、完全読み）
