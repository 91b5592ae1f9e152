//! One snippet, one behaviour: what the lenient reader makes of it.

use std::fmt::Write as _;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8};
use ishi_sgf::{Collection, GoError, GoGame, WarningKind, read_collection};

/// `snippet` is read, `sgf` is what comes out (without the head that the writer adds), `kinds` the warnings.
#[track_caller]
fn check(snippet: &str, sgf: &str, kinds: &[WarningKind]) {
    let reading = read_collection(snippet.as_bytes()).unwrap();
    let written = reading.collection.to_sgf().replace("FF[4]CA[UTF-8]", "").replace('\n', "");
    assert_eq!(written, sgf);
    let found: Vec<WarningKind> = reading.warnings.iter().map(|warning| warning.kind).collect();
    assert_eq!(found, kinds);
}

#[test]
fn structure() {
    use WarningKind::*;
    check("(;B[aa](;W[bb](;B[cc]))(;W[dd]))", "(;B[aa](;W[bb];B[cc])(;W[dd]))", &[]);
    check("(;)", "(;)", &[]);
    check("(;B[aa]", "(;B[aa])", &[MissingCloseParen]);
    check("(;B[aa](;W[bb]", "(;B[aa];W[bb])", &[MissingCloseParen]);
    check(";B[aa];W[bb]", "(;B[aa];W[bb])", &[MissingOpenParen]);
    check("(;B[aa]));W[bb])", "(;B[aa];W[bb])", &[ExtraCloseParen, NodeAfterEnd]);
    check("(B[aa];W[bb])", "(;B[aa];W[bb])", &[MissingSemicolon]);
    check("(;B[aa](W[bb])(;W[cc]))", "(;B[aa](;W[bb])(;W[cc]))", &[MissingSemicolon]);
    check("(;B[aa]()(;W[cc]))", "(;B[aa];W[cc])", &[EmptyVariation]);
    check("(;B[aa];W[bb", "(;B[aa];W[bb])", &[UnclosedValue, MissingCloseParen]);
    check("x (;B[aa]) y (;W[bb]) z", "(;B[aa])(;W[bb])", &[TextOutsideGame; 3]);
    check("(;B[aa]\0;W[bb])\x1a", "(;B[aa];W[bb])", &[JunkInGame]);
    check("(;B[aa] whisky 12 ;W[bb])", "(;B[aa];W[bb])", &[JunkInGame]);
    check("(;AB[aa],[bb])", "(;AB[aa][bb])", &[JunkInGame, ValueWithoutProperty]);
    check("(;[aa]B[bb])", "(;B[bb])", &[ValueWithoutProperty]);
    check("((;B[aa])(;B[bb]))", "(;B[aa])(;B[bb])", &[]);
}

#[test]
fn names_and_values() {
    use WarningKind::*;
    check("(;SiZe[9]White[aa])", "(;SZ[9]W[aa])", &[LongPropertyName]);
    check("(;b[aa])", "(;B[aa])", &[LongPropertyName]);
    check("(;KO[]XX1[ a\\]b ] [c:d])", "(;KO[]XX1[ a\\]b ][c:d])", &[]);
    check("(;KM[6]KM[7])", "(;KM[6]KM[7])", &[DuplicateProperty]);
    check("(;AB[aa]AB[bb])", "(;AB[aa]AB[bb])", &[]);
    check("(;C[a\0b])", "(;C[a\0b])", &[NulByte]);
}

/// The text comes out right with CA, and without it wherever it can be guessed.
#[track_caller]
fn check_encoding(encoding: &'static Encoding, label: &str, text: &str) {
    let game = format!("(;CA[{label}]PB[{text}];B[aa]C[{text}])(;PW[{text}];B[cc])");
    let (bytes, _, lost) = encoding.encode(&game);
    assert!(!lost, "{text} is not in {}", encoding.name());
    let reading = read_collection(&bytes).unwrap();
    let root = reading.collection.games[0].root();
    assert_eq!(root.value("PB").unwrap().to_text(), text, "{label}");
    assert_eq!(reading.collection.games[0].main_line().count(), 2);
    assert_eq!(reading.warnings.count_kind(WarningKind::MalformedText), 0);
    let second = reading.collection.games[1].root();
    assert_eq!(second.value("PW").unwrap().to_text(), text, "guessed without CA: {}", encoding.name());
}

#[test]
fn encodings() {
    check_encoding(UTF_8, "UTF-8", "聶衛平 Müller 이창호");
    check_encoding(SHIFT_JIS, "Shift_JIS", "表示ソ能力ゾーン、本因坊秀策");
    check_encoding(SHIFT_JIS, "MS_KANJI", "井山裕太");
    check_encoding(GBK, "GB2312", "聂卫平对马晓春");
    check_encoding(EUC_KR, "EUC-KR", "이창호 조훈현");
    check_encoding(BIG5, "Big5", "許功蓋林海峰");
    check_encoding(ISO_2022_JP, "ISO-2022-JP", "坂田栄男");
    // The label is wrong: the text shows it.
    check_encoding(GBK, "UTF-8", "聂卫平对马晓春，黑先");
    check_encoding(SHIFT_JIS, "UTF-8", "黒中押し勝ち、表示ソ能力");
    check_encoding(UTF_8, "ISO-8859-1", "聶衛平");
    check_encoding(GBK, "unheard-of", "聂卫平对马晓春，黑先");
}

#[test]
fn every_game_has_its_own_encoding() {
    let (one, _, _) = SHIFT_JIS.encode("(;CA[Shift_JIS]PB[表ソ])");
    let (two, _, _) = EUC_KR.encode("(;PB[이창호]CA[EUC-KR])");
    let reading = read_collection(&[one, two].concat()).unwrap();
    assert_eq!(reading.encodings, ["Shift_JIS", "EUC-KR"]);
    let names = reading.collection.games.iter().map(|game| game.root().value("PB").unwrap().to_text());
    assert_eq!(names.collect::<Vec<_>>(), ["表ソ", "이창호"]);
    assert!(reading.warnings.is_empty());
}

#[test]
fn a_name_cut_in_mid_character_ends_at_its_bracket() {
    let reading = read_collection(b"(;CA[GBK]PB[\xc4\xf4\xce]PW[\xc2\xed];B[aa])").unwrap();
    let game = &reading.collection.games[0];
    assert_eq!(game.root().value("PB").unwrap().to_text(), "聂\u{fffd}");
    assert_eq!(game.root().value("PW").unwrap().to_text(), "马");
    assert_eq!(reading.warnings.count_kind(WarningKind::MalformedText), 1);
}

#[test]
fn utf16_places_count_bytes_of_the_file() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    for mark in ["\u{feff}", ""] {
        let reading = read_collection(&utf16(&format!("{mark}(;PB[石]\n;B[aa]junk;W[bb])"))).unwrap();
        let warning = reading.warnings.iter().next().unwrap();
        let offset = 2 * (14 + mark.chars().count() as u32);
        assert_eq!((warning.place.offset, warning.place.line, warning.place.column), (offset, 2, 7));
        assert_eq!(reading.collection.games[0].root().value("PB").unwrap().raw_text(), "石");
    }
}

#[test]
fn utf16_that_ends_in_mid_character() {
    // Found by the fuzzer: the warning stood one byte after the end of the file.
    let mut bytes: Vec<u8> = "(;SZ[9];B[aa]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.push(b')');
    let reading = read_collection(&bytes).unwrap();
    assert!(reading.warnings.iter().all(|warning| warning.place.offset as usize <= bytes.len()));
    assert_eq!(reading.warnings.count_kind(WarningKind::MissingCloseParen), 1);
}

#[test]
fn depth_width_and_length_are_bounded_by_memory_only() {
    const N: usize = 200_000;
    let deep = format!("(;{}{}", "(;B[aa]".repeat(N), ")".repeat(N + 1));
    let long = format!("(;{})", ";B[aa]".repeat(N));
    let wide = format!("(;{})", "(;B[aa])".repeat(N));
    let open = "(".repeat(N) + ";B[aa]";
    for (text, nodes, line) in [(deep, N + 1, N + 1), (long, N + 1, N + 1), (wide, N + 1, 2), (open, 1, 1)] {
        let reading = read_collection(text.as_bytes()).unwrap();
        let game = &reading.collection.games[0];
        assert_eq!((game.node_count(), game.main_line().count()), (nodes, line));
        let again = read_collection(reading.collection.to_sgf().as_bytes()).unwrap();
        assert_eq!(again.collection.games[0].node_count(), nodes);
    }
    let noise = read_collection("(;B[aa]) junk (".repeat(N).as_bytes()).unwrap();
    assert_eq!(noise.collection.games.len(), N);
    assert!(noise.warnings.omitted_count() > 0 && noise.warnings.iter().count() == 1000);
}

/// A line of Go as text: size, set-up and moves.
fn go(snippet: &str) -> Result<String, GoError> {
    let reading = read_collection(snippet.as_bytes()).unwrap();
    let game = GoGame::read_main_line(&reading.collection.games[0])?;
    let mut text = game.size.to_string();
    for step in &game.steps {
        let setup = &step.setup;
        for (name, points) in [("AB", &setup.black), ("AW", &setup.white), ("AE", &setup.empty)] {
            points.iter().for_each(|point| write!(text, " {name} {point}").unwrap());
        }
        setup.to_play.iter().for_each(|color| write!(text, " PL {color}").unwrap());
        step.moves.iter().for_each(|m| write!(text, " {} {}", m.color.letter(), m.mv).unwrap());
    }
    game.warnings.iter().for_each(|warning| write!(text, " !{}", warning.kind).unwrap());
    Ok(text)
}

#[test]
fn lines_of_go() {
    let check = |snippet: &str, expected: &str| assert_eq!(go(snippet).unwrap(), expected, "{snippet}");
    check("(;B[aa];W[ss])", "19x19 B A19 W T1");
    check("(;SZ[5:7];B[eg];W[aa])", "5x7 B E1 W A7");
    check("(;SZ[9]AB[aa:ca][cb:aa])", "9x9 AB A9 AB B9 AB C9 AB A8 AB B8 AB C8 !reversed-rectangle");
    check("(;SZ[9]AB[aa][aa]AE[bb]PL[White])", "9x9 AB A9 AE B8 PL white");
    check("(;B[tt];W[];B[ ])", "19x19 B pass W pass B pass");
    check("(;SZ[21];B[tt];W[uu])", "21x21 B U2 W V1");
    check("(;SZ[9];B[tt];W[jj])", "9x9 B pass !bad-point");
    check("(;SZ[9];B[E5];W[pass];B[i9])", "9x9 B E5 W pass !vertex-text !vertex-text !bad-point");
    check("(;SZ[9]AB[zz]AW[a]PL[none])", "9x9 !bad-point !bad-point !bad-player");
    check("(;AB[aa]B[bb]W[cc])", "19x19 AB A19 B B18 W C17 !setup-with-move !two-moves");
    check("(;AB[dd][pp]AW[dd]AE[pp])", "19x19 AB D16 AB Q4 AW D16 AE Q4 !point-twice !point-twice");
    check("(;HA[2];AB[dd][pp];W[aa])", "19x19 AB D16 AB Q4 W A19");
    check("(;HA[2];B[dd];W[aa])", "19x19 B D16 W A19 !handicap-stones");
    check("(;SZ[nine];B[aa])", "19x19 B A19 !bad-size");
    check("(;HA[x]TM[1h]RE[who knows]KM[nan])", "19x19 !bad-handicap !bad-time !unknown-result !bad-komi");
    check("(;;SZ[9];B[ee])", "9x9 B E5");
    assert_eq!(go("(;GM[2])"), Err(GoError::OtherGame { game: 2 }));
    assert_eq!(
        go("(;SZ[52])").unwrap_err().to_string(),
        "no Go board of size 52x52: a board must have 2 to 25 lines each way"
    );
    assert_eq!(
        go("(;SZ[1])").unwrap_err().to_string(),
        "no Go board of size 1x1: a board must have 2 to 25 lines each way"
    );
}

#[test]
fn komi_as_servers_write_it() {
    for (text, points) in [
        ("6.5", Some(6.5)),
        ("6,5", Some(6.5)),
        ("6.500000", Some(6.5)),
        ("-7", Some(-7.0)),
        ("6.5 points", Some(6.5)),
        ("375", Some(7.5)),
        ("325", Some(6.5)),
        ("650", Some(6.5)),
        ("750", Some(7.5)),
        ("0", Some(0.0)),
        ("12345678", None),
        ("inf", None),
        ("1e3", None),
    ] {
        let reading = read_collection(format!("(;KM[{text}])").as_bytes()).unwrap();
        assert_eq!(GoGame::read_main_line(&reading.collection.games[0]).unwrap().info.komi, points, "{text}");
    }
}

#[test]
fn a_variation_is_read_to_its_node() {
    let reading = read_collection(b"(;SZ[9];B[aa](;W[bb])(;W[cc];B[dd]))").unwrap();
    let game = &reading.collection.games[0];
    let last = game.preorder().last().unwrap();
    let line = GoGame::read_line_to(game, last).unwrap();
    let moves: Vec<String> = line.moves().map(|m| m.mv.to_string()).collect();
    assert_eq!(moves, ["A9", "C7", "D6"]);
}

#[test]
fn results() {
    use ishi_sgf::GameResult;
    for (text, expected) in [
        ("B+3.5", "B+3.5"),
        ("W+46,5", "W+46.5"),
        ("b + Resign", "B+R"),
        ("W+T (40 seconds late)", "W+T"),
        ("White+Time", "W+T"),
        ("W+Forfeit", "W+F"),
        ("B+", "B+"),
        ("0", "0"),
        ("Jigo", "0"),
        ("Void", "Void"),
        ("?", "?"),
    ] {
        assert_eq!(text.parse::<GameResult>().unwrap().to_string(), expected, "{text}");
    }
    for bad in ["B", "+3", "B+many", "B+-3", "B+1e400", "green+R"] {
        assert!(bad.parse::<GameResult>().unwrap_err().to_string().contains(bad));
    }
}

#[test]
fn other_formats_are_named() {
    for (bytes, expected) in [
        (&b""[..], "the file is empty"),
        (b"\xef\xbb\xbf \n", "the file is empty"),
        (b"(", "begins with \"(\""),
        (b"hello", "begins with \"hello\""),
        (b"\\HS\r\n\\[GIBOKIND=Global\\]", "GIB file"),
        (b"[Header]\r\nVer=UGF3", "UGF file"),
        (b"Rated game\n19\nPMABBREER\n", "NGF file"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"<!DOCTYPE html><p>", "web page"),
    ] {
        let error = read_collection(bytes).unwrap_err().to_string();
        assert!(error.starts_with("not SGF: ") && error.contains(expected), "{error}");
    }
    // A game inside a web page or a mail is a game.
    assert_eq!(read_collection(b"<html><pre>(;B[aa])</pre>").unwrap().collection.games.len(), 1);
}

#[test]
fn unknown_properties_survive() {
    let text = "(;FF[4]CA[UTF-8]ZZ[a\\]b\\\\][ c:d\\:e ]MULTIGOGM[1];XY[\t]B[aa]KO[])\n";
    let reading = read_collection(text.as_bytes()).unwrap();
    assert_eq!(reading.collection.to_sgf(), text);
    assert_eq!(Collection::default().to_sgf(), "");
}

#[test]
fn records_are_played_out_whatever_they_hold() {
    let play = |snippet: &str, moves: Option<usize>| {
        let reading = read_collection(snippet.as_bytes()).unwrap();
        GoGame::read_main_line(&reading.collection.games[0])
            .unwrap()
            .replay_position(ishi_go::Rules::CHINESE, moves)
    };
    // White's first stone is taken, then Black kills himself against the rules.
    let game = "(;SZ[3]KM[5.5];W[aa];B[ba];B[ab];W[bb];W[ca];W[ac];B[aa])";
    let shown = play(game, None).unwrap();
    assert_eq!((shown.moves, shown.prisoners), (7, [1, 3]));
    assert_eq!(shown.position.komi(), 5.5);
    let early = play(game, Some(2)).unwrap();
    assert_eq!((early.moves, early.position.to_move()), (2, ishi_go::Color::Black));
    assert_eq!(early.position.board().empty_count(), 7);
    // Set-up in mid-game takes stones away and puts others down.
    let shown = play("(;SZ[3]AB[aa:ca];W[bb];AE[aa]AW[ca]PL[W])", None).unwrap();
    assert_eq!(shown.position.board().stone_count(ishi_go::Color::Black), 1);
    assert_eq!(shown.position.board().stone_count(ishi_go::Color::White), 2);
    assert_eq!(shown.position.to_move(), ishi_go::Color::White);
    // The handicap counts, and White is to move.
    let shown = play("(;HA[2]AB[dd][pp];W[aa])", Some(0)).unwrap();
    assert_eq!((shown.position.handicap(), shown.position.to_move()), (2, ishi_go::Color::White));
    let error = play("(;SZ[2]AB[aa:bb])", None).unwrap_err().to_string();
    assert!(error.starts_with("set-up after move 0 at line 1, column 8 (byte 7): "), "{error}");
}

#[test]
fn the_document_names_every_kind_of_warning() {
    let document = include_str!("../../../../docs/formats.md");
    for kind in WarningKind::ALL {
        assert!(document.contains(&format!("| `{kind}` |")), "docs/formats.md does not name {kind}");
    }
}

/// What is said of a second move in a node is what happens to it.
#[test]
fn a_second_move_is_not_said_to_be_left_out() {
    let reading = read_collection(b"(;B[aa]B[bb]KM[6]KM[7])").unwrap();
    let done: Vec<&str> = reading.warnings.iter().map(|warning| warning.done.as_str()).collect();
    assert_eq!(done, ["both kept", "both kept, the first counts"]);
    assert_eq!(GoGame::read_main_line(&reading.collection.games[0]).unwrap().moves().count(), 2);
}
