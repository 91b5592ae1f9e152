# The texts of ishi's workbench: what errors of libraries say. A name is errors-CODE, and what is in braces a field.

errors-clock-time = 持ち時間 { $text } は読み取れません。60（切れ負け60秒）、60+2（一手ごとに2秒加算）、60+10x3（60秒のあと10秒の秒読み3回）、60+30/25（60秒のあと30秒ごとに25手）、none（なし）のように書いてください
errors-deck-attribute-twice = この種類は二度書かれています
errors-deck-cannot-read = { $file } を読み込めません：{ $cause }
errors-deck-checksum = 表が壊れているか、編集されています（内容のチェックサムは { $found } でなければなりません）。コピーを使うか、書き出し直してください。自分で編集した場合は `checksum` の項目を削除してください
errors-deck-csv-checksum = 得点の表が壊れているか、編集されています（行のチェックサムは { $found } でなければなりません）。コピーを使うか、書き出し直してください。自分で編集した場合は `# checksum` の行を削除してください
errors-deck-csv-column = 見出しの { $column } 列目に名前がありません
errors-deck-csv-cost = { $text } は整数ではありません（{ $columns } 以外の列はカードのコストとして読みます）{ $hint }
errors-deck-csv-empty = 空です。name,cost,attributes,group のような見出しが必要です
errors-deck-csv-fields = 項目が { $found } 個ですが、見出しは { $wanted } 個です
errors-deck-csv-lost-checksum = 得点の表が壊れています。`# checksum` と 16 桁の値の行が先頭になければなりません。自分で編集した場合は、この行と `# ishi-pairs` の行を削除してください
errors-deck-csv-no-name = 見出しに name の列がありません{ $hint }（見出しは { $header }）
errors-deck-csv-no-pair = { $fields } は a,b,score の形ではありません
errors-deck-csv-no-scores = 空です。a,b,score のような見出しが必要です
errors-deck-csv-no-table = { $found } は、見出し a,b,score でも、その形の行でも、カード { $pieces } 枚の表の見出し（空欄のあとにカード名）でもありません
errors-deck-csv-two-columns = 同じ名前の列が二つあります
errors-deck-default-large = 0 以外の既定値は表全体を埋めるため、カード { $most } 枚までです
errors-deck-default-pairs = 既定値 "pairs" はリーダー用です。得点を書いてください
errors-deck-did-you-mean = （{ $names } ではありませんか）
errors-deck-document = { $place }：{ $reason }
errors-deck-fixed-and-banned = { $piece } が固定と除外の両方に指定されています
errors-deck-group-twice = このグループは二度書かれています
errors-deck-json = JSON として読めません：{ $cause }
errors-deck-limit-too-large = 上限の { $limit } は -{ $most } から { $most } までの数でなければなりません
errors-deck-limits = 上限が { $limits } 個ありますが、コストは { $resources } 種類です
errors-deck-list-count = { $text } は枚数（1 から { $most } まで）ではありません
errors-deck-list-line = { $text } は「4 Lightning Bolt」のように枚数とカード名で書いてください
errors-deck-list-no-heading = 列 Count と Name を示す見出しが必要です
errors-deck-list-no-name = カード名が必要です
errors-deck-log-after-quote = 閉じた引用符のあとに { $after } があります（引用符そのものは二つ重ねて書きます）
errors-deck-log-card-number = { $text } はカード番号（整数）ではありません
errors-deck-log-count = { $text } は 1 以上の枚数ではありません
errors-deck-log-count-and-card = { $field } は「4 Island」のように枚数とカード名で書いてください
errors-deck-log-date = 日付は 2026-02-28 のように書いてください
errors-deck-log-deck-apart = デッキ { $name } の行が離れています（一つのデッキの行は続けて書いてください）
errors-deck-log-field = { $line } 行目の { $field } 番目の項目：{ $reason }
errors-deck-log-fields = 項目が { $fields } 個ですが、見出しは { $columns } 個です
errors-deck-log-large-number = 数は { $most } までです
errors-deck-log-leads = { $field } は読み取れません。リーダーかどうかは 1 か 0、yes か no、true か false で書いてください
errors-deck-log-long-line = 一行は { $most } バイトまでです
errors-deck-log-no-card = カードがありません
errors-deck-log-no-cards = 日付だけでカードがありません
errors-deck-log-no-date = { $text } は日付ではありません（2026-02-28 のように書いてください）
errors-deck-log-no-heading = 列 deck と card（および count、leader、date）を示す見出しが必要です
errors-deck-log-no-text = { $byte } バイト目が UTF-8 の文字ではありません
errors-deck-log-open-quote = 引用符が行の中で閉じていません
errors-deck-log-two-dates = デッキ { $name } に日付が二つあります
errors-deck-log-two-leaders = デッキ { $name } にリーダーが二枚あります
errors-deck-log-unreadable = テキストを読み込めません：{ $cause }
errors-deck-many-copies = { $copies } 枚は多すぎます（デッキは { $most } 枚まで）
errors-deck-memory = 証明には上限の { $megabytes } MB を超えるメモリーが必要なため、途中で打ち切りました（候補のカードを減らすか、証明なしの探索を選んでください）
errors-deck-more-rows = { $side } 行を超えています
errors-deck-names-needed = カード名のリスト、または名前と枚数が必要です
errors-deck-needs-name = カードには名前が必要です
errors-deck-no-attribute = { $name } という種類は表の attributes にありません{ $hint }
errors-deck-no-attribute-number = { $number } 番の種類はありません
errors-deck-no-copies = { $text } は枚数ではありません（2 のような整数で書いてください）
errors-deck-no-deck = 条件を満たすデッキがありません：{ $reasons }
errors-deck-no-group = グループ { $group } のカードはありません{ $hint }
errors-deck-no-group-limit = { $fields } はグループとその上限ではありません（dragons,2 のように書いてください）
errors-deck-no-hint = {""}
errors-deck-no-leader = リーダーにできるカードは、すべて未所持か除外されています
errors-deck-no-owned = { $fields } は「Ember,2」のようなカード名と枚数ではありません（コンマを含む名前は引用符で囲みます）
errors-deck-no-piece = { $name } というカードはありません{ $hint }
errors-deck-no-piece-at = { $place } 番のカードはありません（0 から数えて { $pieces } 枚です）
errors-deck-no-piece-number = { $number } 番のカードはありません
errors-deck-no-place = { $number } はカードではありません（名前、または 0 からの番号で書いてください）
errors-deck-no-resource = { $name } というコストは表の resources にありません{ $hint }
errors-deck-no-row = { $piece } の行がありません
errors-deck-no-score = { $score } は得点ではありません（-1.5 のような数で書いてください）
errors-deck-no-triple = 数が { $length } 個あります（一行は [カード, カード, 得点]、または全体を { $side } 行 { $side } 列の表にしてください）
errors-deck-not-csv = ここでは CSV ではなく JSON か TOML が必要です
errors-deck-not-owned = { $piece } は { $fixed } 枚固定されていますが、持っているのは { $owned } 枚です
errors-deck-not-utf8 = UTF-8 のテキストではありません（UTF-8 で保存し直してください）
errors-deck-one-cost = 数は一つですが、コストは { $resources } です（{ $example } のように書いてください）
errors-deck-or-any = { $reason }（"any" か "none" とも書けます）
errors-deck-pair-both-ways = { $first } と { $second } の得点は { $score }、{ $second } と { $first } では { $mirror } です。ペアの得点はどちらの順でも同じにしてください（リーダーの得点は leaders に書きます）
errors-deck-pair-not-symmetric = { $first } と { $second } の得点が順序によって異なります
errors-deck-pair-twice = { $first } と { $second } の得点が、ここでは { $score }、前では { $before } です（一度だけ書いてください）
errors-deck-piece = カード { $piece }：{ $reason }
errors-deck-piece-attribute = 種類 { $at } がありますが、種類は { $attributes } 個です
errors-deck-piece-cost = コスト { $cost }：0 から { $most } までです
errors-deck-piece-costs = コストの値が { $costs } 個ありますが、コストは { $resources } 種類です
errors-deck-piece-group = グループ { $group } がありますが、グループは { $groups } 個です
errors-deck-piece-twice = { $name } というカードはすでにあります（複数枚持っているカードは copies で枚数を示します）
errors-deck-pool-empty = 空です（カードのプールを TOML、JSON、CSV のいずれかで書いてください）
errors-deck-quota-order = at_most が at_least より小さくなっています
errors-deck-quotas = 種類ごとの枚数の条件が { $quotas } 個あります（{ $most } 個まで）
errors-deck-reason-cheapest = いちばん安い { $pieces } 枚（うち固定 { $fixed } 枚）でも { $resource } が { $cost } になります（上限 { $limit }）
errors-deck-reason-cheapest-keeping = ほかの条件をすべて満たすいちばん安いデッキ（うち固定 { $fixed } 枚）でも { $resource } が { $cost } になります（上限 { $limit }）
errors-deck-reason-conflict = 次の条件は同時には満たせません（どれか一つを外せば満たせます）：{ $rules }
errors-deck-reason-few-beside = { $name } のカードは { $most } 枚までで、ほかのカードは { $others } 枚しか残っていません（デッキは { $least } 枚以上）
errors-deck-reason-few-of-quota = { $name } のカードが { $left } 枚しか残っていません（{ $least } 枚必要です）
errors-deck-reason-few-pieces = 選べるカードが { $left } 枚しかありません（デッキは { $least } 枚以上）
errors-deck-reason-fixed-cost = 固定したカード { $fixed } 枚だけで { $resource } が { $cost } になります（上限 { $limit }）
errors-deck-reason-fixed-count = 固定したカードが { $fixed } 枚ありますが、デッキは { $most } 枚までです
errors-deck-reason-fixed-group = グループ { $group } のカードが { $fixed } 枚固定されていますが、入れられるのは { $limit } 枚までです
errors-deck-reason-fixed-quota = { $name } のカードが { $fixed } 枚固定されていますが、入れられるのは { $most } 枚までです
errors-deck-reason-quota-over-size = { $name } のカードが { $least } 枚必要ですが、デッキは { $most } 枚までです
errors-deck-request-object = 条件は {"{"}"size": 16{"}"} のような形で書いてください
errors-deck-resource-twice = このコストは二度書かれています
errors-deck-row-of-scores = 表の行には得点だけを書いてください
errors-deck-row-scores = 得点が { $scores } 個ですが、カードは { $side } 枚です
errors-deck-row-twice = このカードの行はすでに { $line } 行目にあります
errors-deck-rows = { $rows } 行ありますが、カードは { $side } 枚です
errors-deck-rule-at-least = { $least } 枚以上
errors-deck-rule-at-most = { $most } 枚以下
errors-deck-rule-fixed = { $name } を固定
errors-deck-rule-groups = グループの上限
errors-deck-rule-leader = リーダーになれるカードを入れる
errors-deck-rule-limit = { $name } は { $limit } まで
errors-deck-rule-quota-at-least = { $name } を { $least } 枚以上
errors-deck-rule-quota-at-most = { $name } を { $most } 枚以下
errors-deck-rule-some-limit = { $name } の上限
errors-deck-same-name = { $name } というカードが二つあります
errors-deck-score-large = 得点 { $score } は大きすぎます（{ $most } まで）
errors-deck-score-too-large = 得点 { $score } 単位は大きすぎます（{ $most } まで）
errors-deck-score-units = 得点 { $largest } は { $total } 単位になります（{ $most } まで）
errors-deck-size = デッキの枚数 { $least }～{ $most }：1 枚以上で、最多は最少以上にしてください
errors-deck-table-side =
    { $table ->
        [leader] リーダー
       *[pair] ペア
    }の表はカード { $found } 枚分ですが、カードは { $pieces } 枚です
errors-deck-toml = TOML として読めません：{ $cause }
errors-deck-units = 得点 1 あたり { $units } 単位：1 以上にしてください
errors-deck-units-needed = 得点 1 あたり { $units } 単位：1 以上の数が必要です
errors-deck-unreadable = 読み込めません：{ $cause }
errors-deck-work-limit = 探索のステップ数（steps）は 1 以上にしてください
errors-engine-no-parameter = エンジン { $engine } にパラメーター { $key } はありません（使えるのは { $known }）
errors-engine-no-value = { $engine } のパラメーター { $part } に値がありません（名前=値 の形で書いてください）
errors-engine-unknown = エンジン { $text } はありません（使えるのは { $names }）
errors-engine-value-number = { $key }={ $value } は範囲外です（{ $least } から { $most } までの数）
errors-engine-value-own = { $key }={ $value } は使えません：{ $cause }
errors-engine-value-unknown = { $key }={ $value } は使えません：{ $hint }
errors-engine-value-word = { $key }={ $value } は使えません（選べるのは { $words }）
errors-go-diagram-marked-twice = 図の { $line } 行目：{ $letter } の印が二か所にあります（一つの文字で示せるのは一点だけです）
errors-go-diagram-uneven = 図の { $line } 行目は { $points } 点ですが、最初の行は { $expected } 点です
errors-go-diagram-unknown = 図の { $line } 行目に不明な文字 { $character } があります（空点は . 、黒は X、白は O、印は小文字）
errors-go-handicap = 置石 { $stones } 子：{ $size } の碁盤では 2 子から { $most } 子までです
errors-go-handicap-none = 置石 { $stones } 子：{ $size } の碁盤には決まった置き場所がありません
errors-go-handicap-not-empty = 盤上に石があります（置石は初手の前に置きます）
errors-go-illegal-ko =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：コウなので、すぐには取り返せません
errors-go-illegal-occupied =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $by ->
        [black] 黒
       *[white] 白
    }石があります
errors-go-illegal-outside =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $size } の碁盤にない点です
errors-go-illegal-suicide =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：着手禁止点です（石のダメがなくなります）
errors-go-illegal-superko =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $rule ->
        [situational] 同形反復（手番も同じ）
       *[positional] 同形反復
    }で、{ $number } 手目の局面に戻ります
errors-go-illegal-superko-of-start =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } は打てません：{ $rule ->
        [situational] 同形反復（手番も同じ）
       *[positional] 同形反復
    }で、開始局面に戻ります
errors-go-komi = コミ { $komi } は使えません（6.5 のような数で書いてください）
errors-go-no-column-i = { $text }：I の列は使いません
errors-go-no-liberty = { $point } の石にダメがありません
errors-go-no-stone = { $point } に石はありません（死んでいる石を示してください）
errors-go-no-vertex =
    { $text } は点ではありません：D4 のように列の文字と行の数字{ $pass ->
        [yes] （または pass）
       *[no] {""}
    }を書いてください
errors-go-point-outside = { $point } は { $size } の碁盤の外です
errors-go-point-set-twice = { $point } に石が二度置かれています
errors-go-rules = ルール { $text } はありません（選べるのは { $names }）
errors-go-size = { $width }x{ $height } の碁盤はありません（縦横とも 2 路から 25 路まで）
errors-go-size-text = 碁盤の大きさ { $text } は読み取れません（9 または 19x7 のように、2 から 25 までの数で書いてください）
errors-go-vertex-outside = { $text }：{ $size } の碁盤は A1 から { $corner } までです
errors-grid-letter = { $line } 行目の { $column } 文字目：{ $letter } は使えません（空点は . 、黒は X、白は O）
errors-grid-no-rows = 盤がありません（空点は . 、黒は X、白は O で書いてください）
errors-grid-ragged = { $line } 行目は { $found } 点ですが、上の行は { $expected } 点です
errors-joseki-cycle = 前の局面に戻ってしまいます
errors-joseki-illegal = そこには打てません
errors-joseki-known = すでにあります（裏返しの形、または別の手順かもしれません）
errors-joseki-no-such-move =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point } はこの局面の定石にありません
errors-joseki-score = 得点 { $score }：{ $count } 局の勝ち数の2倍は { $most } までです
errors-joseki-text-color = { $text } は色ではありません（B か W）
errors-joseki-text-depth = 行頭の空白が { $depth } 個ありますが、ここでは { $most } 個までです
errors-joseki-text-move =
    { $color ->
        [black] 黒
       *[white] 白
    } { $point }：{ $reason }
errors-joseki-text-number =
    { $what ->
        [count] 局数
        [score] 得点
        [year] 年
       *[other] { $what }
    } { $text }：0 以上の、大きすぎない整数で書いてください
errors-joseki-text-parts = { $words } の項目は { $parts } 個です（B D4 100 104 2018 normal のように 6 個必要です）
errors-joseki-text-point = { $text } は使えません（A1 から K10 までの点で書いてください）
errors-joseki-text-words = { $words }：説明は、手のすぐ下の行に空白を一つ増やして書いてください
errors-lab-experiment-ambiguous = 実験 { $called } に当てはまるものがいくつかあります：{ $names }
errors-lab-file =
    { $path } を{ $what ->
        [read] 読み込めません
        [write] 書き込めません
       *[other] 作成できません
    }：{ $cause }
errors-lab-learning = 学習できません：{ $cause }
errors-lab-no-experiment = { $path } に実験 { $called } はありません（あるのは { $names }）
errors-lab-no-experiment-at-all = { $path } は空で、実験 { $called } はありません
errors-lab-no-experiment-folder = { $called } は実験のフォルダーではありません（例：experiments/010-name）
errors-lab-no-experiments = { $here } とその上位にフォルダー { $folder } がありません（--experiments で指定してください）
errors-lab-no-report = { $path } は ishi の報告ではありません：{ $cause }
errors-lab-result = タスク { $task } の保存された結果は使えません：{ $cause }（別の --db で始めてください）
errors-lab-source = { $path }：{ $reason }
errors-lab-source-below = below を使えるのは、compare が "agrees"、"ratio"、"beside" のときだけです
errors-lab-source-board-twice = 同じ盤が二つあります（一つ消してください）
errors-lab-source-builtin = ここに書けるのは内蔵のプレイヤーだけです（外部のプログラムは anchor に書けます）
errors-lab-source-docs = { $docs } というファイルはありません（プロジェクトの最上位からのパスで書いてください）
errors-lab-source-empty = { $key } を空にはできません
errors-lab-source-equal = compare = "equal" のときは、範囲でなく値を書いてください
errors-lab-source-figure = value、range、below のうち一つだけを書いてください
errors-lab-source-finite = 有限の数を書いてください（範囲は [小さい数, 大きい数]）
errors-lab-source-games = 局数は [最初, 最後] の形で、2 から 10000000 まで、小さい順に書いてください
errors-lab-source-interval = 区間は [小さい数, 大きい数] の形で、数値を含まなければなりません
errors-lab-source-key = { $path } の { $line } 行目 { $column } 文字目（{ $key }）：{ $reason }{ $excerpt }
errors-lab-source-kind = 実験の種類は { $kinds } です
errors-lab-source-leaders = リーダーがいるのは generated と tiers の世界だけです（nobody と書いてください）
errors-lab-source-leading = nobody、given、free のどれかを書いてください
errors-lab-source-log = log は real の世界に必要で、ほかの世界には書けません
errors-lab-source-method-name = 方法の名前は、それぞれ別でなければなりません
errors-lab-source-name = 名前に使えるのは英字、数字、- です
errors-lab-source-name-twice = 同じ名前が二つあります（一つ変えてください）
errors-lab-source-no-author = 文献には著者が一人以上必要です
errors-lab-source-no-player = プレイヤーが一つ以上必要です
errors-lab-source-no-style = 調べる打ち方が一つ以上必要です
errors-lab-source-place = { $path } の { $line } 行目 { $column } 文字目：{ $reason }{ $excerpt }
errors-lab-source-player-twice = 同じプレイヤーが二つあります（一つ消してください）
errors-lab-source-range = { $value } は使えません（{ $low } から { $high } まで）
errors-lab-source-read = 読み込めません（{ $cause }）
errors-lab-source-run-name = 名前に使えるのは英小文字、数字、- です（even は使えません）
errors-lab-source-run-twice = 同じ名前の学習が前にあります（別の名前にしてください）
errors-lab-source-scores = scores を選べるのは、リーダーのいない generated と tiers の世界だけです
errors-lab-source-stage = ステージの名前と、そのプレイヤーの名前を書いてください
errors-lab-source-stage-twice = 同じ名前のステージが二つあります（一つ変えてください）
errors-lab-source-stages = ステージには games、opponents（self、counters、past、standard の割合）、0 から 1 までの epsilon、lambda、hold、50 までの opening、1000 までの学習率を書いてください
errors-lab-source-tenures = 論文の行の数値は、tenures より多くできません
errors-lab-source-toml = 内容に誤りがあります（{ $cause }）
errors-lab-source-two-players = 総当たりにはプレイヤーが二つ以上必要です
errors-lab-source-value = { $value }：{ $reason }
errors-lab-source-wins = { $cause }（[勝ち, 局数] の形で書いてください）
errors-lab-source-won = 勝ちは局数以下、局数は 1 以上でなければなりません
errors-lab-source-world = 世界は generated、tiers、traps、random、real のどれかです
errors-lab-statistics = 統計を計算できません：{ $cause }
errors-lab-task = タスク { $task } が失敗しました：{ $cause }（終わった分は保存されており、続きから始められます）
errors-lab-tune-end = { $key }={ $range }：{ $reason }
errors-lab-tune-no-parameter = { $player } にパラメーター { $key } はありません（あるのは { $keys }）
errors-lab-tune-no-player = { $player } は調整できません（調整できるのは { $game } の内蔵プレイヤー：{ $known }）
errors-lab-tune-nothing = { $text } には調整するものがありません（bias=0.1..1 のような範囲か、a|b のような選択肢を書いてください）
errors-lab-tune-own-start = プレイヤーの { $key } は { $value } で、{ $range } に入りません（{ $key }={ $range }@値 のように初期値を書いてください）
errors-lab-tune-player = { $text }：{ $reason }
errors-lab-tune-range = { $part } は範囲ではありません（{ $key }=0.1..1 のように小さい数から書いてください。正の数には { $key }=0.001..0.1:log も使えます）
errors-lab-tune-start = { $key } の初期値 { $value } が { $range } に入りません（{ $key }={ $range }@値 のように書いてください）
errors-lab-tune-stopped = 調整を続けられません：{ $cause }
errors-lab-tune-twice = { $key } が二つあります（一つにしてください）
errors-lab-worker-ended = ワーカーのスレッドがすべて終了しました
errors-othello-board-character = { $line } 行目の { $column } 文字目：{ $found } はマスではありません（黒は X、白は O、空きは - と書いてください）
errors-othello-board-digit = { $line } 行目の { $column } 文字目：{ $found } は数字の盤のマスではありません（黒は 0、白は 1、空きは - と書いてください）
errors-othello-board-line-character = { $column } 文字目：{ $found } はマスではありません（黒は X、白は O、空きは - と書いてください）
errors-othello-board-line-digit = { $column } 文字目：{ $found } は数字の盤のマスではありません（黒は 0、白は 1、空きは - と書いてください）
errors-othello-board-no-side = 手番がありません（盤のあとに X か O を書いてください）
errors-othello-board-row = { $line } 行目：{ $text } は { $found } マスです（一行は 8 マス）
errors-othello-board-side = 盤のあとの { $found } は手番ではありません（X か O を書いてください）
errors-othello-board-squares = { $found } マスしかありません（盤は 64 マス）
errors-othello-errs-and-level = errs={ $errs } は、もともとミスをするレベルとは併用できません（レベル 10 以上にしてください）
errors-othello-fen = { $found } はオセロの FEN ではありません（8 行目から順に各 8 マス、黒は p、白は P、空きは数字、最後に b か w）
errors-othello-ggf-board-size = 8x8 の盤だけを読みます（8、各行、手番の順に書いてください）
errors-othello-ggf-evaluation = { $found } は数ではありません（最初の / のあとは石数での評価値）
errors-othello-ggf-illegal = { $number } 手目：{ $reason }
errors-othello-ggf-in-game = { $number } 局目、{ $reason }
errors-othello-ggf-move = { $reason }（パスは PA）
errors-othello-ggf-no-end = { $offset } バイト目：ここから始まる対局に終わりがありません（最後に ;) を書いてください）
errors-othello-ggf-no-game = 対局がありません（GGF の対局は (; で始まります）
errors-othello-ggf-no-property = { $offset } バイト目：{ $found } はプロパティではありません（名前[値] の形で書いてください）
errors-othello-ggf-other-game = 別のゲームです（オセロは GM[Othello]）
errors-othello-ggf-result = 黒の石数から白の石数を引いた数（+12 など）か ? を書いてください
errors-othello-ggf-seconds = { $found } は数ではありません（二つ目の / のあとは秒数）
errors-othello-ggf-value = { $offset } バイト目：{ $name }[{ $value }]：{ $reason }
errors-othello-illegal-game-over =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：終局しています
errors-othello-illegal-occupied =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：石があります
errors-othello-illegal-other-turn =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：{ $other ->
        [black] 黒
       *[white] 白
    }の番です
errors-othello-illegal-pass =
    { $color ->
        [black] 黒
       *[white] 白
    }はパスできません：{ $square } などに打てます
errors-othello-illegal-turns-nothing =
    { $color ->
        [black] 黒
       *[white] 白
    }は { $mv } に打てません：返せる石がありません
errors-othello-in-game = { $number } 局目：{ $reason }
errors-othello-level = レベル { $text } はありません（1 から 20 まで）
errors-othello-level-and-own = level と { $own } は併用できません（レベルか読みの深さのどちらかにしてください）
errors-othello-link = リンク { $found } に局面がありません（f5d6c3 のような棋譜、または 64 マスと手番を含むリンクにしてください。どちらもなければ、そのサイトで棋譜をコピーしてください）
errors-othello-link-board = リンクの { $part } は盤になりません：{ $reason }
errors-othello-link-side = リンクの { $part } は盤ですが、手番がわかりません（盤のあとに X か O を書くか、リンクに turn=X か turn=O を入れてください）
errors-othello-no-game = 棋譜がありません
errors-othello-no-known-format = 対応している形式の棋譜ではありません：{ $cause }
errors-othello-no-memory = ハッシュ表（項目 2^{ $bits } 個、{ $mebibytes } MiB）のためのメモリーが足りません（hash を小さくしてください）
errors-othello-no-move = { $offset } バイト目：{ $found } は手ではありません（f5 のようなマス、またはパスの -- を書いてください）
errors-othello-not-from-start =
    { $number } 局目は初期配置から始まっていないため、{ $format ->
        [wthor] WTHOR
       *[transcript] 棋譜の文字列
    }にはできません（sgf、ggf、obf、text から選んでください）
errors-othello-obf-position = { $text } に局面がありません：{ $reason }
errors-othello-obf-score = 項目 { $field } は使えません（F5:+4 のように、-64 から 64 までの得点を書いてください）
errors-othello-on-line = { $line } 行目：{ $reason }
errors-othello-rating = レーティング { $text } はありません（{ $low } から { $high } まで）
errors-othello-rating-and-own = rating と { $own } は併用できません（レーティングだけで強さが決まるので、どちらかにしてください）
errors-othello-square = { $text } はマスではありません（a から h までの文字と 1 から 8 までの数字）
errors-othello-transcript-illegal = { $offset } バイト目、{ $number } 手目：{ $reason }
errors-othello-win-loss = win_loss={ $win_loss } が exact={ $exact } より小さくなっています
errors-othello-wthor = WTHOR のファイルとして扱えません：{ $cause }
errors-pattern-branch =
    { $color ->
        [black] 黒
       *[white] 白
    } { $at }：{ $reason }
errors-pattern-claim-of-liberties = { $at } { $claim }：ダメの数は 1 から { $most } までです
errors-pattern-claim-without-stone = { $at } { $claim }：そこには石があるとは限りません（X、O、% のどれかにしてください）
errors-pattern-deep = 手順は { $most } 手までです
errors-pattern-edges = 盤の端は、なし、下辺、左下隅のどれかにしてください
errors-pattern-frame = 枠が { $width }x{ $height } です（1x1 から 8x8 まで）
errors-pattern-line =
    { $part ->
        [source] 出典
        [English] 英語の言葉
       *[Japanese] 日本語の言葉
    } { $text }：前後に空白のない一行にしてください
errors-pattern-move-not-empty =
    { $color ->
        [black] 黒
       *[white] 白
    } { $at }：そこは空点とは限りません（. にしてください）
errors-pattern-name = 名前 { $name }：a～z、0～9、- の 60 文字までにしてください
errors-pattern-no-move = 手がありません（一手は必要です）
errors-pattern-outside = 枠の外です
errors-pattern-played-unseen = 打たれた回数 { $played } が出現数 { $seen } を超えています
errors-pattern-points-outside = { $width }x{ $height } の枠の外に点があります
errors-pattern-taken = 名前 { $name } はすでに使われています
errors-pattern-text-before-first = 最初のパターンの前に { $content } があります（パターンは pattern 名前 で始まります）
errors-pattern-text-claim = { $text }：at C3 liberties 2、liberties 2+、liberties 2-、alive、dead のように書いてください
errors-pattern-text-corner = 隅では行が | で、下の端が +--- で始まります（辺では : と ---）
errors-pattern-text-deepest = { $depth } 手先の手です（{ $most } 手先まで）
errors-pattern-text-depth = 行頭の空白が { $depth } 個ありますが、ここでは { $most } 個までです
errors-pattern-text-edge = { $words }：盤の端は --- か +--- です
errors-pattern-text-empty = 空です（パターンは pattern 名前 で始まります）
errors-pattern-text-liberties = { $count } はダメの数ではありません。at C3 liberties 2、liberties 2+、liberties 2-、alive、dead のように書いてください
errors-pattern-text-line = { $content } の始まりが不明です（source、seen、en、ja、at、B、W、または : か | で始まる行）
errors-pattern-text-no-corner = パターン { $name }：行が | で始まっていますが、隅の +--- がありません
errors-pattern-text-no-diagram = パターン { $name } に図がありません（図の行は : か | で始まります）
errors-pattern-text-not-one = { $content }：名前で始まるパターン一つにしてください
errors-pattern-text-number =
    { $what ->
        [seen] 出現数
        [played] 打たれた回数
        [won] 勝ち数
       *[other] { $what }
    } { $text }：0 から { $most } までの整数で書いてください
errors-pattern-text-one-edge = 盤の端は、図のすぐ下に一つだけ書いてください
errors-pattern-text-parts = { $words } の項目は { $parts } 個です（B C4 120 61 normal のように 5 個必要です）
errors-pattern-text-pattern = パターン { $name }：{ $reason }
errors-pattern-text-point = { $text } は使えません（A1 から H8 までの点で書いてください）
errors-pattern-text-row-below = 下辺より下に行があります
errors-pattern-text-row-length = 記号が { $signs } 個ですが、上の行は { $above } 個です
errors-pattern-text-row-side = 行が { $side } で始まっていますが、上の行は { $above } です
errors-pattern-text-sign = { $sign } は記号ではありません（X O . x o % _ ? のどれかで書いてください）
errors-pattern-text-size = 図は 1～8 行、1～8 列にしてください
errors-pattern-text-twice = { $key } が二度書かれています
errors-pattern-text-words = 行頭の空白が { $depth } 個あります（手の説明は空白を一つ増やして書きます）
errors-pattern-twice = 同じ手が二度あります
errors-pattern-unknown = { $name } というパターンはありません
errors-pattern-won = 勝ち数 { $won } が打たれた回数 { $played } を超えています
errors-player-cannot-play = 対局者「{ $player }」はこの対戦に出られません：{ $cause }
errors-player-command-empty = エンジンのコマンド { $text } が空です（"gnugo --mode gtp" のようにプログラムと引数を書いてください）
errors-player-command-nul = エンジンのコマンド { $text }：引数に NUL 文字があります
errors-player-command-quote = エンジンのコマンド { $text }：引用符が閉じていないか、末尾に \ があります
errors-player-invalid = 対局者の指定に誤りがあります：{ $reason }
errors-player-unknown =
    { $game ->
        [Othello] オセロ
       *[Go] 囲碁
    }の対局者 { $quoted } はありません（使えるのは { $known }。GTP エンジンはコマンド、または「gtp:{ $text }」の形で書いてください）
errors-sgf-empty = SGF ではありません：ファイルが空です（棋譜は (; で始まります）
errors-sgf-foreign =
    SGF ではありません：{ $kind ->
        [GIB] GIB 形式（東洋囲碁）の棋譜です
        [UGF] UGF 形式（パンダネット）の棋譜です
        [NGF] NGF 形式（wBaduk、サイバーオロ）の棋譜です
        [gzip] gzip で圧縮されています
        [ZIP] ZIP で圧縮されています
        [RAR] RAR で圧縮されています
        [archive] 7z で圧縮されています
        [PDF] PDF ファイルです
        [PNG] PNG 画像です
        [JPEG] JPEG 画像です
        [GIF] GIF 画像です
        [program] プログラムです
        [database] データベースです
        [web] 棋譜を含まないウェブページか XML です
        [binary] テキストではないファイルです
       *[other] 別の形式です（{ $format }）
    }。(; で始まる SGF の棋譜を選んでください
errors-sgf-late-setup = { $place }：途中に配置の変更があります（オセロの配置は初手の前に置きます）
errors-sgf-move =
    { $number } 手目 { $color ->
        [black] 黒
       *[white] 白
    } { $mv }（{ $place }）：{ $reason }
errors-sgf-no-game = SGF ではありません：ファイルが { $found } で始まっています（棋譜は (; で始まります）
errors-sgf-no-go = 囲碁の棋譜ではありません（GM[{ $game }]。囲碁は GM[1]）
errors-sgf-no-go-board = { $size } の碁盤には対応していません（縦横とも { $least } 路から { $most } 路まで）
errors-sgf-no-othello = オセロの棋譜ではありません（GM[{ $game }]。オセロは GM[2]）
errors-sgf-no-othello-board = { $size } のオセロ盤には対応していません（8x8 だけです）
errors-sgf-no-place = ファイルにはない箇所
errors-sgf-place = { $line } 行目の { $column } 文字目、{ $offset } バイト目
errors-sgf-setup = { $moves } 手目のあとの配置（{ $place }）：{ $reason }
errors-sgf-too-large = 大きすぎます（SGF は 4 GiB まで）
errors-sgf-warning =
    { $place }：{ $kind ->
        [text-outside-game] 対局の外に文字があります
        [junk-in-game] 対局の中に余分な文字があります
        [missing-open-paren] 始まりの ( がありません
        [missing-close-paren] 終わりの ) がありません
        [extra-close-paren] ) が余分にあります
        [node-after-end] 対局の終わりのあとに手があります
        [missing-semicolon] 最初の ; がありません
        [empty-variation] 変化に手がありません
        [value-without-property] プロパティ名のない値があります
        [unclosed-value] 値が ] で閉じられていません
        [nul-byte] 値に NUL 文字があります
        [long-property-name] プロパティ名に小文字があります（古い形式）
        [duplicate-property] 同じプロパティが二度あります
        [unknown-encoding] 文字コードの指定が不明です
        [wrong-encoding] 文字コードが指定と違います
        [guessed-encoding] 文字コードを推定しました
        [malformed-text] 文字コードに合わない文字があります
        [other-game] 囲碁以外の棋譜です
        [bad-size] 碁盤の大きさが正しくありません
        [bad-komi] コミが正しくありません
        [komi-in-hundredths] コミが100倍などの単位で書かれています
        [bad-handicap] 置石の数が正しくありません
        [handicap-stones] 置石の数と盤上の石が合いません
        [bad-time] 持ち時間が正しくありません
        [unknown-result] 結果を読み取れません
        [bad-point] 碁盤にない点です
        [vertex-text] 着手が D4 のような形で書かれています
        [reversed-rectangle] 範囲の角が逆になっています
        [two-moves] 一つのノードに着手が二つあります
        [setup-with-move] 配置と着手が同じノードにあります
        [point-twice] 配置で同じ点が重なっています
        [bad-player] 手番が正しくありません
       *[other] { $kind }
    }（{ $found }）
errors-store-address = { $address } はデータベースのアドレスではありません：{ $cause }（postgres://ユーザー@ホスト:ポート/データベース の形で書いてください）
errors-store-cannot-open = データベース { $path } を開けません：{ $cause }（フォルダーの有無と書き込みの権限を確かめてください）
errors-store-corrupt = データベース { $path } が壊れています：{ $cause }（以前のコピーを使うか、別のファイルを指定してください）
errors-store-damaged = データベース { $path } のタスク { $task } の結果が壊れています：{ $cause }
errors-store-damaged-document = データベース { $path } が壊れています：{ $cause }（以前のコピーを使うか、/damaged で保存してから削除してください）
errors-store-damaged-row = データベース { $path } が壊れています：{ $cause }（以前のコピーを使うか、その行を削除してください。実行（run）の行は ishi lab forget、キャンペーンの行は ishi campaign mend で削除できます）
errors-store-empty = データベース { $path } は空です。ishi のデータはまだありません
errors-store-failed = データベース { $path } の処理に失敗しました：{ $cause }
errors-store-foreign = { $path } は ishi のデータベースではありません（表 schema_migrations がありません）
errors-store-full = ディスクに空きがなく、データベース { $path } に書き込めません（{ $cause }）。終わった分は保存されています。空きを作ってからやり直してください
errors-store-locked = データベース { $path } は、ほかのプロセスが { $seconds } 秒以上使用中です
errors-store-missing = データベース { $path } がありません
errors-store-newer = データベース { $path } は新しい版（スキーマ { $found }）のものです。この ishi が扱えるのは { $known } までです
errors-store-no-database = { $path } は ishi のデータベースではありません：{ $cause }（別のファイルを指定してください）
errors-store-older = データベース { $path } は古い版（スキーマ { $found }）のものです。{ $known } が必要なので、一度書き込みできる形で開いて更新してください
errors-store-other-run = { $path } の { $name } は別の設定で作られています（別の名前にしてください）。保存された設定は { $kept }、指定された設定は { $asked }
errors-store-read-only = データベース { $path } またはそのフォルダーは読み取り専用で、書き込めません
errors-store-refused = データベース { $path } に拒否されました：{ $cause }
errors-store-unreachable = データベース { $path } に接続できません：{ $cause }（サーバーが動いているか、このマシンから届くかを確かめてください）。終わった分は保存されています
errors-strings-chains-given = 指定の石がつながって連になるため、色を交互に置く方法では決まりません：{ $cause }
errors-strings-infeasible = 指定に合う盤はありません（ダメのない石ができます）
errors-strings-memory = この盤を解くには { $megabytes } MB を超えるメモリーが必要です（もっと小さい盤にしてください）
errors-strings-point = { $row } 行目の { $column } 文字目：{ $letter } は使えません（自由は ? 、空点は . 、石は # 、黒は X、白は O）
errors-strings-row = { $row } 行目は { $points } 点ですが、盤は { $width } 路です
errors-strings-rows = { $rows } 行ありますが、盤は { $height } 路です
errors-strings-stopped = 停止しました
errors-strings-unsolvable = 解けません：{ $cause }
errors-strings-wrong = 解は { $solver } 連ですが、検査では { $checker } 連でした（不具合としてお知らせください）
errors-text-empty = 空です（最初の行は { $right } です）
errors-text-first-line = 最初の行が { $found } です（{ $right } でなければなりません）
errors-text-kind = { $text } という種類はありません（選べるのは { $names }）
errors-text-on-line = { $line } 行目：{ $reason }
