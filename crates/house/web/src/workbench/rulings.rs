//! What errors of libraries say, in every language: they carry a code and fields, and their words are the texts `errors-CODE`.

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, KoRule, VertexError};
    use ishi_words::{CodedError, Language};

    use crate::workbench::error::PageError;
    use crate::workbench::texts::{english, find_page_language, made_up_language, page_languages};
    use crate::workbench::visitor::Visitor;

    /// English says what the library says, and Japanese says it in Japanese with the same place.
    fn assert_told<E: CodedError>(error: E, japanese: &str) {
        let english = error.to_string();
        let told = PageError::from(&error);
        let words = |language| told.localized_message(&Visitor::for_language(language));
        assert_eq!(words(Language::English), english);
        assert_eq!(words(Language::Japanese), japanese);
        // A third language has its own as soon as its folder has the text.
        let third = told.localized_message(&Visitor::for_texts(made_up_language()));
        assert_eq!(third.trim_start_matches('~'), english);
        assert_same_words(&error);
    }

    /// The English texts of the files, from which others are translated, say what the library says. Every other language has words of its own.
    fn assert_same_words<E: CodedError>(error: &E) {
        let (facts, words) = (error.facts(), error.to_string());
        assert_eq!(english().tell_error(&facts).as_deref(), Some(words.as_str()), "errors-{}", facts.code());
        for texts in page_languages().iter().skip(1) {
            let told = texts.tell_error(&facts).unwrap();
            assert_ne!(told, words, "errors-{} of texts/{}", facts.code(), texts.tag);
        }
    }

    fn assert_refused<T, E: CodedError>(outcome: Result<T, E>) {
        assert_same_words(&outcome.err().expect("it is wrong"));
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

    #[test]
    fn boards_rules_and_clocks_that_are_none_are_told_in_every_language() {
        use ishi_engine::clock::TimeControl;
        use ishi_go::{Diagram, Position, Rules, handicap};
        let size = BoardSize::square(9).unwrap();
        assert_refused(BoardSize::square(30));
        assert_refused("30x30".parse::<BoardSize>());
        assert_refused("chess".parse::<Rules>());
        assert_refused("quickly".parse::<TimeControl>());
        for text in ["X", ". .\n.", ". ?\n. .", "a a\n. ."] {
            assert_refused(text.parse::<Diagram>());
        }
        let position = Position::new(size, Rules::CHINESE);
        assert_refused(position.clone().set_komi(f64::INFINITY));
        assert_refused(position.final_score(&[size.parse_point("D4").unwrap()]));
        assert_refused(handicap::fixed_placement(size, 30));
        assert_refused(handicap::fixed_placement(BoardSize::square(5).unwrap(), 2));
    }

    #[test]
    fn records_that_are_none_are_told_in_every_language() {
        use ishi_go::Rules;
        use ishi_sgf::GoGame;
        for text in ["", "nothing", "\\HS"] {
            assert_refused(ishi_sgf::read_collection(text.as_bytes()));
        }
        assert_told(
            ishi_sgf::read_collection(b"7z\xbc\xaf\x27\x1c").err().unwrap(),
            "SGF ではありません：7z で圧縮されています。(; で始まる SGF の棋譜を選んでください",
        );
        let first_game = |text: &str| {
            let reading = ishi_sgf::read_collection(text.as_bytes()).unwrap();
            GoGame::read_main_line(&reading.collection.games[0])
        };
        assert_refused(first_game("(;GM[2];B[ee])"));
        assert_refused(first_game("(;SZ[30];B[ee])"));
        let choked = first_game("(;SZ[9]AB[aa]AW[ab][ba];B[ee])").unwrap();
        assert_refused(choked.replay_position(Rules::CHINESE, None));
        let played =
            first_game("(;SZ[9];B[ee];W[ee])").unwrap().replay_position(Rules::CHINESE, None).unwrap();
        assert_same_words(&played.illegal[0]);
    }

    /// Every kind of oddity has a name in Japanese.
    #[test]
    fn oddities_of_records_are_told_in_every_language() {
        use ishi_sgf::{FileLocation, Warning, WarningKind};
        let (found, done) = ("XX[]".to_string(), "left out".to_string());
        let warning = Warning { place: FileLocation::NONE, kind: WarningKind::BadKomi, found, done };
        for &kind in WarningKind::ALL {
            let warning = Warning { kind, ..warning.clone() };
            assert_same_words(&warning);
            let told = find_page_language("ja").unwrap().tell_error(&warning.facts()).unwrap();
            assert!(told.contains("XX[]") && !told.contains(kind.name()), "{told}");
        }
    }

    #[test]
    fn games_of_othello_that_are_none_are_told_in_every_language() {
        use ishi_othello::{Position, Square};
        use ishi_othello_play::levels::Level;
        use ishi_sgf::othello_records::{WthorDirectory, read_records};
        assert_refused("i9".parse::<Square>());
        assert_refused("21".parse::<Level>());
        let (empty, digits) = ("-".repeat(63), "012".repeat(21));
        for text in [
            "https://example.org/?moves=none",
            &format!("https://example.org/?board={empty}-&t=X"),
            &format!("https://example.org/?board={empty}&turn=X"),
            &format!("{digits}0 1"),
            &format!("{}\n{}", &digits[..9], &digits[..40]),
            "8/8/8/8/8/8/8/9 b",
            "f5d6c9",
            "f5f6f5",
        ] {
            assert_refused(Position::from_given(text));
        }
        for text in [format!("{empty}- Z"), format!("{empty}-"), format!("{empty} X")] {
            assert_refused(Position::from_text(&text));
        }
        let ggf = |properties: &str| format!("(;GM[Othello]{properties};)");
        let start = "---------------------------OX------XO--------------------------- X";
        let texts = [
            String::new(),
            "f5d6c3\nf5f6f5".to_string(),
            format!("{start}; F5:x;"),
            format!("{start}; F5:+4;\n{} X;", &empty[..20]),
            ggf("RE[much]"),
            ggf("BO[6 ---]"),
            ggf("B[z9]"),
            ggf("B[d3/x]"),
            ggf("B[d3/1/x]"),
            ggf("BO[8 -]"),
            ggf("B[d3]W[d3]"),
            "(;GM[2]SZ[8];B[d3];W[d3])".to_string(),
            "(;GM[1]SZ[9];B[ee])".to_string(),
            "(;GM[2]SZ[10];B[d3])".to_string(),
        ];
        for text in texts {
            assert_refused(read_records("", text.as_bytes(), &WthorDirectory::default()).map(drop));
        }
    }

    #[test]
    fn patterns_and_joseki_that_are_none_are_told_in_every_language() {
        use ishi_patterns::joseki::text::parse_joseki;
        use ishi_patterns::library::text::parse_library;
        let joseki = [
            "",
            "joseki",
            "ishi-joseki 1\n B D4 1 1 2018 normal",
            "ishi-joseki 1\nB D4",
            "ishi-joseki 1\nX D4 1 1 2018 normal",
            "ishi-joseki 1\nB Z4 1 1 2018 normal",
            "ishi-joseki 1\nB D4 x 1 2018 normal",
            "ishi-joseki 1\nB D4 1 3 2018 normal",
            "ishi-joseki 1\nB D4 1 1 2018 odd",
            "ishi-joseki 1\nen of what",
            "ishi-joseki 1\nB D4 1 1 2018 normal\nB D4 1 1 2018 normal",
        ];
        for text in joseki {
            assert_refused(parse_joseki(text));
        }
        let patterns = [
            "",
            "patterns",
            "ishi-shapes 1\nsource x",
            "ishi-shapes 1\npattern a\nwhat",
            "ishi-shapes 1\npattern a\nseen x",
            "ishi-shapes 1\npattern a\n: Z",
            "ishi-shapes 1\npattern a\n: . .\n: .",
            "ishi-shapes 1\npattern a\n: . .\n| . .",
            "ishi-shapes 1\npattern a\n: . .\n-x",
            "ishi-shapes 1\npattern a\n: . .\n+---",
            "ishi-shapes 1\npattern a\n: . .\n---\n: . .",
            "ishi-shapes 1\npattern a\n: . .\nB A1",
            "ishi-shapes 1\npattern a\n: . .\nB Z9 0 0 normal",
            "ishi-shapes 1\npattern a\n: . .\nat A1 proud",
            "ishi-shapes 1\npattern a\n: . .\nat A1 liberties x",
            "ishi-shapes 1\npattern a\n: . .\n B A1 0 0 normal",
            "ishi-shapes 1\npattern a\nen one\nen two",
            "ishi-shapes 1\npattern a\n  en one",
            "ishi-shapes 1\npattern a",
            "ishi-shapes 1\npattern a\n| . .",
            "ishi-shapes 1\npattern a\n: . .",
            "ishi-shapes 1\npattern A\n: . .\nB A1 0 0 normal",
            "ishi-shapes 1\npattern a\n: X .\nB A1 0 0 normal",
            "ishi-shapes 1\npattern a\n: . .\nB A1 0 1 normal",
            "ishi-shapes 1\npattern a\nseen 1\n: . .\nB A1 2 0 normal",
            "ishi-shapes 1\npattern a\n: . .\nat A1 alive\nB A1 0 0 normal",
            "ishi-shapes 1\npattern a\n: . .\nB A1 0 0 normal\nB A1 0 0 normal",
        ];
        for text in patterns {
            assert_refused(parse_library(text));
        }
    }

    #[test]
    fn work_of_the_laboratory_that_fails_is_told_in_every_language() {
        use ishi_lab::LabError;
        let (task, error) = (|| "t".to_string(), || "why".to_string());
        let errors = [
            LabError::Task { task: task(), error: error() },
            LabError::Result { task: task(), error: error() },
            LabError::Statistics(error()),
        ];
        errors.iter().for_each(assert_same_words);
    }

    /// Each reason within a fault of a file is told in the language, too.
    #[test]
    fn faults_in_files_of_experiments_are_told_in_every_language() {
        use ishi_lab::expected::ExpectedFigures;
        use ishi_lab::source::TomlSource;
        let figure = "[[figure]]\nkey = \"a\"\nwhat = \"a\"\ncompare = \"equal\"\nsource = \"a\"\n";
        let fault = |rest: &str| {
            let source = TomlSource::new("a.toml", format!("{figure}{rest}\n"));
            ExpectedFigures::parse_source(&source).unwrap_err()
        };
        for rest in
            ["", "range = [1, 2]", "range = [2, 1]", "value = 1 1", "valu = 1", "value = 1\ndecimals = 12"]
        {
            assert_same_words(&fault(rest));
        }
        let range = fault("value = 1\ndecimals = 12").facts();
        let told = find_page_language("ja").unwrap().tell_error(&range).unwrap();
        let japanese = "a.toml の 7 行目 12 文字目（figure.decimals）：12 は使えません（0 から 9 まで）\n";
        assert!(told.starts_with(japanese) && told.ends_with("^^"), "{told}");
        assert_same_words(&TomlSource::read_file("no/such.toml".as_ref()).unwrap_err());
    }

    #[test]
    fn what_cannot_be_tuned_is_told_in_every_language() {
        use ishi_engine::Othello;
        use ishi_lab::LabError;
        use ishi_lab::folder::{find_experiments, find_folder};
        use ishi_lab::tune::TuningSpace;
        let players = [
            "nobody",
            "othello-wpc",
            "othello-wpc:epsilon=1..0",
            "othello-wpc:epsilon=0..0.1@0.5",
            "othello-wpc:epsilon=0..0.5,epsilon=0..0.5",
            "othello-wpc:nothing=0..1",
            "othello-wpc:epsilon=0..2@1",
        ];
        for player in players {
            assert_refused(TuningSpace::parse::<Othello>(player));
        }
        let experiments = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments");
        let find = |called: &str| find_folder(&experiments, called);
        assert_refused(find("999"));
        assert_refused(find("a/b"));
        assert_refused(find_experiments(std::path::Path::new("/")));
        assert!(matches!(find("999"), Err(LabError::Input(_))));
    }

    /// English words of libraries that stand for a thing or an act have their own in Japanese.
    #[test]
    fn no_english_word_stands_in_japanese_sentences() {
        use ishi_lab::LabError;
        use ishi_patterns::joseki::text::parse_joseki;
        use ishi_patterns::library::text::parse_library;
        let joseki = |fields: &str| {
            parse_joseki(&format!("ishi-joseki 1\nB D4 {fields} normal")).err().unwrap().problem
        };
        assert_told(joseki("x 1 2018"), "局数 \"x\"：0 以上の、大きすぎない整数で書いてください");
        assert_told(joseki("1 x 2018"), "得点 \"x\"：0 以上の、大きすぎない整数で書いてください");
        assert_told(joseki("1 1 x"), "年 \"x\"：0 以上の、大きすぎない整数で書いてください");
        let seen = parse_library("ishi-shapes 1\npattern a\nseen x").err().unwrap().problem;
        assert_told(seen, "出現数 \"x\"：0 から 4294967295 までの整数で書いてください");
        let file = |what| LabError::File { what, path: "a/b".into(), error: std::io::Error::other("no") };
        assert_told(file("read"), "a/b を読み込めません：no");
        assert_told(file("write"), "a/b を書き込めません：no");
        assert_told(file("make the folder"), "a/b を作成できません：no");
    }

    #[test]
    fn decks_and_strings_that_are_none_are_told_in_every_language() {
        use ishi_deck::scores::lists::read_deck_lists;
        use ishi_deck_documents::pool::{read_pool, refuse_sibling_file};
        use ishi_deck_documents::{PieceNames, TableFiles};
        use ishi_grid::strings::read_given;
        assert_refused(read_deck_lists("4 Ant\nwhat is this\n4 Bee\n").map(drop));
        let read = |text: &str| {
            read_pool("table.csv", text.as_bytes(), &refuse_sibling_file, &TableFiles::default())
        };
        let tables = [
            "",
            "nam,cost\nAnt,1\n",
            "name,name\nAnt,1\n",
            "name,cost\n,1\n",
            "name,cost\nAnt,x\n",
            "name,copies\nAnt,x\n",
            "name,score\nAnt,x\n",
            "name,cost\nAnt,1\nAnt,2\n",
        ];
        for text in tables {
            assert_refused(read(text));
        }
        let empty = |name| read_pool(name, b" \n", &refuse_sibling_file, &TableFiles::default());
        assert_refused(empty("pool.toml"));
        let frost = read("name,cost\nFrost,1\n").unwrap();
        for name in ["Fost", "Quartz"] {
            assert_refused(PieceNames::from_pool(&frost.pool).find_piece(name));
        }
        for text in ["?", "???", "?!"] {
            assert_refused(read_given(text, 2, 1).map(drop));
        }
        assert_refused(read_given("??", 2, 2).map(drop));
        assert_refused("".parse::<ishi_grid::Board>());
        assert_refused("X Z".parse::<ishi_grid::Board>());
        assert_refused("X O\nX".parse::<ishi_grid::Board>());
    }

    #[test]
    fn what_is_wrong_with_a_database_is_told_in_every_language() {
        use ishi_lab::store::StoreError;
        use std::path::PathBuf;
        let (path, cause) = (PathBuf::from("a.db"), "row 7".to_string());
        let with_cause = [
            StoreError::CannotOpen { path: path.clone(), cause: cause.clone() },
            StoreError::Full { path: path.clone(), cause: cause.clone() },
            StoreError::NotADatabase { path: path.clone(), cause: cause.clone() },
            StoreError::Corrupt { path: path.clone(), cause: cause.clone() },
            StoreError::Damaged { path: path.clone(), task: "0f".to_string(), cause: cause.clone() },
            StoreError::DamagedRow { path: path.clone(), cause: cause.clone() },
            StoreError::Unreachable { path: path.clone(), cause: cause.clone() },
            StoreError::Refused { path: path.clone(), cause: cause.clone() },
            StoreError::Address { address: "postgres:".to_string(), cause: cause.clone() },
            StoreError::Other { path: path.clone(), cause },
        ];
        let (name, kept, asked) = ("mine".to_string(), "{}".to_string(), "[]".to_string());
        let others = [
            StoreError::Missing { path: path.clone() },
            StoreError::ReadOnly { path: path.clone() },
            StoreError::Locked { path: path.clone() },
            StoreError::Empty { path: path.clone() },
            StoreError::Foreign { path: path.clone() },
            StoreError::Newer { path: path.clone(), found: 9, known: 6 },
            StoreError::Older { path: path.clone(), found: 1, known: 6 },
            StoreError::OtherRun { path, name, kept, asked },
        ];
        with_cause.iter().chain(&others).for_each(assert_same_words);
    }

    #[test]
    fn players_that_are_none_are_told_in_every_language() {
        use ishi_arena::PlayerSpec;
        use ishi_go_play::catalog::create_go_player;
        use ishi_rng::Seed;
        for spec in ["nobody", "go-flat:playouts", "go-flat:colour=red", "go-flat:playouts=none"] {
            assert_refused(create_go_player(spec, Seed::new(1)).map(drop));
        }
        for spec in ["nobody", "gtp:", "gtp:'open"] {
            assert_refused(spec.parse::<PlayerSpec>());
        }
    }
}
