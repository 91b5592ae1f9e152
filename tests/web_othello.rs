//! The room of othello: games, engines, analysis, exact endgames and reviews, over plain HTTP.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use ishi_othello::games_index::build_games_index;
use ishi_othello::wthor::{WthorGame, WthorNames, WthorNamesKind};

use crate::support::workbench;
use crate::support::workbench::{Workbench, hidden};

/// A new game; its path.
fn game(bench: &Workbench, black: &str, white: &str) -> String {
    let reply = bench.form("/othello", &[("black", black), ("white", white), ("white_level", "2")]);
    assert_eq!(reply.status, 303, "{}", reply.body);
    reply.place().to_string()
}

/// A record that is opened; its path.
fn opened(bench: &Workbench, text: &str) -> String {
    bench.form("/othello/open", &[("text", text)]).place().to_string()
}

fn play(bench: &Workbench, path: &str, at: &str) -> workbench::Reply {
    let seen = hidden(&bench.page(path), "seen");
    bench.post(&format!("{path}/point"), &[("at", at), ("seen", &seen)])
}

fn done(reply: &workbench::Reply) {
    assert_eq!((reply.status, reply.body.as_str()), (204, ""), "events bring what has changed");
}

/// Listens to a game until an event of this name holds these words.
pub(crate) fn heard(bench: &Workbench, path: &str, name: &str, words: &str) -> String {
    let mut stream = TcpStream::connect(&bench.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let topic = format!("{}/en", path.trim_start_matches('/'));
    let address = &bench.address;
    let head = format!(
        "GET /events?topics=go/nothing+{topic} HTTP/1.1\r\nHost: {address}\r\n{}\r\n",
        bench.token_line()
    );
    stream.write_all(head.as_bytes()).unwrap();
    for line in BufReader::new(stream).lines() {
        let Some(told) = line.unwrap().strip_prefix("data: ").map(str::to_string) else { continue };
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["topic"], topic, "only what was asked for is told");
        let data = told["data"].as_str().unwrap();
        if told["name"] == name && data.contains(words) {
            return data.to_string();
        }
    }
    panic!("{name} is never told {words:?}");
}

#[test]
fn a_person_plays_an_engine() {
    let bench = Workbench::start();
    assert!(bench.page("/othello").contains("othello-wpc"), "engines of the catalog");
    let path = game(&bench, "person", "othello");
    let page = bench.page(&path);
    assert!(page.contains("Black to move") && page.contains("Legal moves: d3 c4 f5 e6"), "{page}");
    assert!(play(&bench, &path, "a1").refused(422).contains("turns no disc"));
    assert!(play(&bench, &path, "z9").refused(422).contains("z9"));
    done(&play(&bench, &path, "f5"));
    // The engine answers.
    let page = bench.until(&path, "othello-move-2");
    assert!(page.contains("Black to move") && !page.contains("othello-move-3"));
    // What another tab has seen is not played on.
    let stale = bench.post(&format!("{path}/point"), &[("at", "d6"), ("seen", "0/0")]);
    assert!(stale.refused(409).contains("another tab"));
    done(&bench.post(&format!("{path}/undo"), &[]));
    assert!(!bench.page(&path).contains("othello-move-1"), "back to the person's own choice");
    done(&play(&bench, &path, "c4"));
    bench.until(&path, "othello-move-2");
    let sgf = bench.ask("GET", &format!("{path}/game.sgf"), &[], "").body;
    let told = |part: &str| sgf.contains(part);
    assert!(told("AP[ishi:") && told("MADEBY[ishi ") && told("black person, white othello"), "{sgf}");
    let shared = bench.ask("GET", &format!("{path}/game.html"), &[], "").body;
    assert!(shared.contains("<meta name=\"made-by\" content=\"ishi "), "it says how it was made: {shared}");
    let picture = bench.ask("GET", &format!("{path}/game.svg"), &[], "").body;
    assert!(picture.contains("<metadata>made by ishi ") && picture.contains("black person, "), "{picture}");
    // Nothing is lost when the server ends.
    let bench = bench.restart();
    assert!(bench.page(&path).contains("othello-move-2"));
    assert!(bench.page("/othello").contains(&path));
    done(&bench.post(&format!("{path}/resign"), &[]));
    assert!(bench.page(&path).contains("White wins by resignation"));
    assert!(bench.japanese(&path).contains("白の勝ち（投了）"));
    bench.form(&format!("{path}/forget"), &[]);
    assert!(bench.ask("GET", &path, &[], "").refused(404).contains("deleted"));
}

/// White is to play: a7 wins by 32, b2 by 6.
const LATE_GAME: &str = "f5f6e6d6e7f4e3f3c6d7g5h5g3g4h6h7c5f7d3b6f8c4c3c7h3e8b3b4a4g6d8c8b8g7b5a5a6h4h8g8a3a2e2d2a8d1f2g1c1g2e1c2";

#[test]
fn a_teaching_game_tells_a_blunder_before_it_is_answered() {
    let bench = Workbench::start();
    let fields = [("black", "othello-greedy"), ("white", "person"), ("from", LATE_GAME), ("taught", "1")];
    let path = bench.form("/othello", &fields).place().to_string();
    assert!(bench.page(&path).contains("blunders can be taken back"));
    let blunder = || {
        done(&play(&bench, &path, "b2"));
        bench.until(&path, "b2 is a blunder")
    };
    let told = blunder();
    assert!(told.contains("White b2 loses 26 discs.") && told.contains("Better: a7"), "{told}");
    assert!(told.contains("othello-move-53") && !told.contains("othello-move-54"), "it is answered");
    assert!(bench.japanese(&path).contains("b2 は悪手です"));
    assert!(play(&bench, &path, "a1").refused(422).contains("leave it and play on"));
    // The choice is about this move, wherever the page is.
    done(&bench.post(&format!("{path}/go"), &[("to", "3")]));
    // A second tap takes back nothing more.
    for _ in 0..2 {
        done(&bench.post(&format!("{path}/take-back"), &[]));
    }
    let page = bench.page(&path);
    assert!(!page.contains("is a blunder") && !page.contains("othello-move-53"), "{page}");
    assert!(page.contains("othello-move-52"), "{page}");
    blunder();
    done(&bench.post(&format!("{path}/leave"), &[]));
    let page = bench.until(&path, "othello-move-54");
    assert!(!page.contains("is a blunder") && !page.contains("counts for your strength"), "{page}");
}

#[test]
fn the_next_level_follows_the_results() {
    let bench = Workbench::start();
    let entrance = bench.page("/othello");
    assert!(entrance.contains("your strength (level 5)") && !entrance.contains("Your strength after"));
    assert!(entrance.contains("a level from 1 to 14"), "{entrance}");
    for level in [5, 4] {
        let fields = [("black", "person"), ("white", "othello"), ("white_level", "own")];
        let path = bench.form("/othello", &fields).place().to_string();
        let page = bench.page(&path);
        let name = format!("ishi, level {level}");
        assert!(page.contains(&name) && page.contains("counts for your strength"), "{page}");
        // What is sent twice counts once.
        done(&bench.post(&format!("{path}/resign"), &[]));
        bench.post(&format!("{path}/resign"), &[]).refused(422);
    }
    let entrance = bench.page("/othello");
    assert!(entrance.contains("Your strength after 2 games: about level 4"), "{entrance}");
    assert!(bench.japanese("/othello").contains("2 局でレベル4相当"));
    assert!(bench.page("/").contains("your strength (15 kyu)"), "Go has a strength of its own");
}

/// An opponent between the levels is chosen as a level is, and named in both languages.
#[test]
fn an_opponent_of_a_rating_is_chosen_by_a_field() {
    let bench = Workbench::start();
    let entrance = bench.page("/othello");
    assert!(entrance.contains("name=\"white_rating\"") && entrance.contains("A rating from 540 to 2880"));
    assert!(bench.japanese("/othello").contains("白、レーティング"));
    let start = |rating: &str| {
        let fields =
            [("black", "person"), ("white", "othello"), ("white_level", "3"), ("white_rating", rating)];
        bench.form("/othello", &fields)
    };
    let path = start("900").place().to_string();
    let page = bench.page(&path);
    assert!(page.contains("ishi, rating 900") && !page.contains("counts for your strength"), "{page}");
    assert!(bench.japanese(&path).contains("ishi（レーティング900）"));
    done(&play(&bench, &path, "f5"));
    bench.until(&path, "othello-move-2");
    assert!(bench.page(start("").place()).contains("ishi, level 3"), "without a rating the level counts");
    assert!(start("500").refused(422).contains("a rating must be a number from 540 to 2880"));
}

/// The last choice of the analysis' depth goes on until all is exact.
#[test]
fn an_analysis_goes_on_until_all_is_exact() {
    let bench = Workbench::start();
    // Sixteen empty squares.
    let path = opened(&bench, &LATE_GAME[..88]);
    done(&bench.post(&format!("{path}/level"), &[("level", "proof")]));
    let page = bench.page(&path);
    assert!(page.contains("<option value=\"proof\" selected>20, and on until all is exact"), "{page}");
    let table = heard(&bench, &path, "study", "data-done");
    assert!(table.contains("exact") && !table.contains('@'), "{table}");
    done(&bench.post(&format!("{path}/level"), &[("level", "5")]));
    assert!(bench.page(&path).contains("<option value=\"5\" selected"));
}

#[test]
fn engines_play_each_other_and_can_be_stopped() {
    let bench = Workbench::start();
    let path = game(&bench, "othello-greedy", "othello-random");
    bench.page(&path);
    bench.until(&path, "othello-move-3");
    done(&bench.post(&format!("{path}/pause"), &[]));
    let page = bench.page(&path);
    assert!(page.contains("engines wait") && page.contains("Engines go on"));
    done(&bench.post(&format!("{path}/continue"), &[]));
    bench.until(&path, "othello-move-6");
    for (fields, words) in [
        ([("black", "person"), ("white", "nobody")], "no engine"),
        ([("black", "person"), ("white", "othello:level=99")], "level"),
    ] {
        assert!(bench.form("/othello", &fields).refused(422).contains(words), "{fields:?}");
    }
}

#[test]
fn the_values_of_all_moves_are_told() {
    let bench = Workbench::start();
    let path = opened(&bench, "f5d6c3d3c4");
    assert!(bench.page(&path).contains("Tiger"), "the opening has a name");
    // Opening a record begins to look at it.
    let table = heard(&bench, &path, "study", "data-line");
    assert!(table.contains("e3") || table.contains("f4"), "{table}");
    done(&bench.post(&format!("{path}/overlay"), &[("overlay", "search")]));
    let board = heard(&bench, &path, "board", "Values");
    assert!(board.contains("<svg") && board.contains("</text>"));
    for overlay in ["moves:network", "squares:patterns", "squares:standard", "moves:ten", "hints"] {
        done(&bench.post(&format!("{path}/overlay"), &[("overlay", overlay)]));
        let page = bench.page(&path);
        assert!(page.contains(&format!("<option value=\"{overlay}\" selected")), "{overlay}");
        assert_eq!(page.contains("Values: "), overlay != "hints", "{overlay}");
    }
    assert!(bench.post(&format!("{path}/overlay"), &[("overlay", "x")]).refused(422).contains("\"x\""));
    let line = bench.part(&format!("{path}/line?moves=f4c5&after=5"));
    assert!(line.part().contains(">2</text>"), "moves of a line are numbered");
    done(&bench.post(&format!("{path}/study"), &[("on", "false")]));
    assert!(bench.page(&path).contains("aria-pressed=\"false\""));
}

/// The page shows what the book knows of the position on the board, and goes on with it.
#[test]
fn the_book_is_beside_the_board() {
    let bench = Workbench::start();
    let path = opened(&bench, "f5");
    let page = bench.page(&path);
    assert!(page.contains("After f5") && page.contains("Perpendicular") && page.contains("Diagonal"));
    assert!(!page.contains("othello-search-games"), "this server has no games");
    done(&play(&bench, &path, "d6"));
    assert!(bench.page(&path).contains("After f5d6 (Perpendicular)"));
    assert_eq!(bench.ask("GET", &format!("{path}/games"), &[], "").status, 404);
}

/// With an index of games the page says what was played in tournaments.
#[test]
fn tournament_games_are_found_from_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("games.index");
    let game = |moves: &str, year: u16, result: u8| {
        let moves = ishi_othello::Position::from_transcript(moves).unwrap().squares_played().collect();
        WthorGame { year, tournament: 0, black: 1, white: 2, result, theoretical: result, moves }
    };
    let games = [game("f5d6c3", 2001, 40), game("f5d6c4", 2019, 20), game("f5f6e6", 2010, 32)];
    std::fs::write(&index, build_games_index(&games)).unwrap();
    let names = ["?", "Kuro <K>", "Shiro"].map(str::to_string).to_vec();
    let players = folder.path().join("WTHOR.JOU");
    let list = WthorNames { names, ..WthorNames::default() }.to_bytes(WthorNamesKind::Players).unwrap();
    std::fs::write(&players, list).unwrap();
    let [index, players] = [&index, &players].map(|path| path.to_str().unwrap());
    let options = ["--no-token", "--othello-games", index, "--othello-players", players];
    let bench = Workbench::with_options(&folder.path().join("ishi.db"), "127.0.0.1:0", &options);
    let path = opened(&bench, "f5d6");
    assert!(bench.page(&path).contains("othello-search-games"));
    let found = bench.part(&format!("{path}/games")).part().to_string();
    assert!(found.contains("2 games. The side to move won 1, drew 0, lost 1"), "{found}");
    assert!(found.contains("c3") && found.contains("c4") && !found.contains("f5f6e6"), "{found}");
    assert!(found.contains("1 (50 %)"), "how often a move was played: {found}");
    assert!(found.contains(">2019 -24<") && found.contains(">2001 +16<"), "{found}");
    assert!(
        found.contains("The latest: year, result for Black in discs, moves"),
        "what these numbers are: {found}"
    );
    // A move is played from here, wherever the page is by then, and a game is opened.
    assert!(found.contains("data-at=\"c3\" data-after=\"2\""), "{found}");
    assert!(found.contains("Kuro &lt;K&gt; – Shiro"), "{found}");
    assert!(found.contains("action=\"/othello/open\""), "{found}");
    let record = hidden(&found, "text").replace("&lt;", "<").replace("&gt;", ">");
    let page = bench.page(&opened(&bench, &record));
    assert!(page.contains("Kuro &lt;K&gt;") && page.contains("othello-move-3"), "{record}: {page}");
    // Another place of the game may be asked for.
    let earlier = bench.part(&format!("{path}/games?after=1")).part().to_string();
    assert!(earlier.contains("3 games. The side to move won 1, drew 1, lost 1"), "{earlier}");
}

#[test]
fn endgames_are_solved_exactly() {
    let bench = Workbench::start();
    // Three empty squares, Black wins all.
    let board = format!("-O{}OOX{}-- X", "X".repeat(51), "X".repeat(6));
    let path = opened(&bench, &board);
    done(&bench.post(&format!("{path}/solve"), &[]));
    let page = bench.until(&path, "with best play by both, proved");
    assert!(page.contains("Black +64"), "{page}");
    let early = opened(&bench, "f5d6");
    assert!(bench.post(&format!("{early}/solve"), &[]).refused(422).contains("30 empty squares"));
}

#[test]
fn a_game_is_reviewed() {
    let bench = Workbench::start();
    let path = opened(&bench, "f5f6e6d6e7f4e3f3c6d7");
    done(&bench.post(&format!("{path}/review"), &[("level", "6")]));
    let page = bench.until(&path, "othello-graph");
    assert!(page.contains("Black lost") && page.contains("White lost"), "{page}");
    assert!(
        page.contains("class=\"strip\"") && page.contains("<value-chart data-goes"),
        "the curve can be clicked on"
    );
    // A look back does not end it, another move does.
    done(&bench.post(&format!("{path}/go"), &[("to", "3")]));
    assert!(bench.page(&path).contains("looking back"));
    assert!(bench.page(&path).contains("othello-graph"));
    done(&play(&bench, &path, "f4"));
    assert!(!bench.page(&path).contains("othello-graph"));
    done(&bench.post(&format!("{path}/return"), &[]));
    assert!(bench.page(&path).contains("othello-move-10"));
}

#[test]
fn lessons_of_a_review_are_questions() {
    let bench = Workbench::start();
    // Moves by chance, so that both sides have much to learn.
    let moves = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2a1d6h2h5a4d8c8h7e8a2h4b8g1h1";
    let path = opened(&bench, moves);
    done(&bench.post(&format!("{path}/review"), &[("level", "4")]));
    let page = bench.until(&path, "data-lesson=\"try\"");
    for color in ["B", "W"] {
        assert!(page.contains(&format!("data-color=\"{color}\"")), "no lesson of {color}: {page}");
    }
    assert!(page.contains("name=\"learner\"") && page.contains("What is better?"), "{page}");
    let value = |lesson: &str, name: &str| {
        let (_, rest) = lesson.split_once(&format!("{name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.to_string()
    };
    for lesson in page.split("class=\"lesson\"").skip(1) {
        let (played, number) = (value(lesson, "data-played"), value(lesson, "data-number"));
        let answers = value(lesson, "data-answers");
        let number: usize = number.parse().unwrap();
        assert_eq!(played, moves[2 * (number - 1)..2 * number], "the move of the game");
        assert!(!answers.split(' ').any(|answer| answer == played || answer.len() != 2), "{answers}");
    }
    // The same lessons stand in the file that is shared, in both languages.
    assert!(page.contains(&format!("{path}/game.html")), "{page}");
    let shared = bench.ask("GET", &format!("{path}/game.html"), &[("Accept-Language", "ja")], "");
    assert!(shared.header("content-disposition").unwrap().contains(".html"));
    let (_, rest) = shared.body.split_once("id=\"shared-game\" type=\"application/json\">").unwrap();
    let game: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(game["review"].as_array().unwrap().len(), 60);
    assert_eq!(game["lessons"].as_array().unwrap().len(), page.matches("class=\"lesson\"").count());
    assert!(shared.body.contains("<html lang=\"ja\">"));
    assert!(game["languages"]["en"]["last"].as_str().unwrap().starts_with("The game is over"), "{game}");
    // And in the record, which is the same game with variations.
    let sgf = bench.ask("GET", &format!("{path}/game.sgf"), &[], "").body;
    assert!(sgf.contains("reviewed at level 4") && sgf.contains("White lost "), "{sgf}");
    let lessons = game["lessons"].as_array().unwrap().iter();
    let asked: std::collections::BTreeSet<u64> =
        lessons.map(|lesson| lesson["number"].as_u64().unwrap()).collect();
    assert_eq!(sgf.matches("C[The better line]").count(), asked.len(), "{sgf}");
    let again = bench.page(&opened(&bench, &sgf));
    assert!(again.contains("othello-move-60") && !again.contains("othello-move-61"), "{again}");
}

#[test]
fn a_review_goes_on_after_the_server_was_ended_until_it_is_there_or_stopped() {
    let moves = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2a1d6h2h5a4d8c8h7e8a2h4b8g1h1";
    let bench = Workbench::start();
    let path = opened(&bench, moves);
    done(&bench.post(&format!("{path}/review"), &[("level", "4")]));
    let bench = bench.restart();
    // Whoever looks at it again gets it without asking.
    bench.until(&path, "data-lesson=\"try\"");
    assert!(!bench.page(&path).contains("stop-review"), "it is wanted though it is there");
    // What is stopped, or about other moves, does not begin again.
    let long = opened(&bench, moves);
    for end in ["stop-review", "undo"] {
        done(&bench.post(&format!("{long}/review"), &[("level", "14")]));
        assert!(bench.page(&long).contains("stop-review"), "a review is under way");
        done(&bench.post(&format!("{long}/{end}"), &[]));
        assert!(!bench.page(&long).contains("stop-review"), "{end} does not end it");
    }
}

#[test]
fn records_come_in_and_go_out() {
    let bench = Workbench::start();
    let moves = "f5d6c3d3c4f4f6";
    let sgf = "(;GM[2]PB[A]PW[B];B[f5];W[d6];B[c3])";
    let path = opened(&bench, moves);
    for (ending, words) in
        [("txt", moves), ("sgf", "GM[2]"), ("ggf", "GM[Othello]"), ("obf", " O;"), ("svg", "<svg")]
    {
        let reply = bench.ask("GET", &format!("{path}/game.{ending}"), &[], "");
        assert_eq!(reply.status, 200);
        assert!(reply.body.contains(words), "{ending}: {}", reply.body);
        let tells = reply.body.contains("MADEBY") || reply.body.contains("<metadata>");
        assert!(!tells, "ishi did nothing in it: {}", reply.body);
        assert!(reply.header("content-disposition").unwrap().contains(ending));
        if ending != "svg" {
            // What goes out comes in again.
            assert!(bench.form("/othello/open", &[("text", &reply.body)]).place().starts_with("/othello/"));
        }
    }
    assert!(bench.page(&opened(&bench, sgf)).contains("A – B"));
    for (text, words) in
        [("f5f5", "line 1"), ("(;GM[1];B[dd])", "GM[1]"), ("hello", "begins with no move"), ("", "")]
    {
        assert!(bench.form("/othello/open", &[("text", text)]).refused(422).contains(words), "{text:?}");
    }
    // A link of a playing site holds its game.
    assert!(
        bench
            .page(&opened(&bench, "https://example.org/kifu?moves=f5d6c3&lang=ja"))
            .contains("othello-move-3")
    );
    let nowhere = bench.form("/othello/open", &[("text", "https://example.org/game/17")]);
    assert!(nowhere.refused(422).contains("no position in the link"));
    let two = bench.form("/othello/open", &[("text", "f5d6\nf5f6\n"), ("number", "2")]);
    assert!(bench.page(two.place()).contains("f6"));
    assert!(
        bench.form("/othello/open", &[("text", "f5"), ("number", "7")]).refused(422).contains("no game 7")
    );
    // A game from a position.
    let from = bench
        .form("/othello", &[("black", "person"), ("white", "person"), ("from", "f5d6c3"), ("minutes", "5")]);
    let page = bench.page(from.place());
    assert!(page.contains("othello-move-3") && page.contains("5:00"), "{page}");
}

#[test]
fn evaluations_out_of_files_are_shown() {
    let bench = Workbench::start();
    // Ten weights.
    let ten = "MSAtMC4yNSAwLjEgMC4wNSAtMC4yNSAwLjAxIDAuMDEgMC4wNSAwLjAyIDAuNQ==";
    let sent = bench.form("/othello/evaluations", &[("base64", ten), ("title", "my ten")]);
    assert_eq!(sent.place(), "/othello");
    let path = opened(&bench, "f5d6c3");
    let page = bench.page(&path);
    let (before, _) = page.split_once("\">moves: my ten<").unwrap();
    let (_, overlay) = before.rsplit_once("value=\"").unwrap();
    done(&bench.post(&format!("{path}/overlay"), &[("overlay", overlay)]));
    assert!(bench.page(&path).contains("Values: "));
    // Another server reads it again.
    let bench = bench.restart();
    assert!(bench.page(&path).contains("Values: "));
    let wrong = bench.form("/othello/evaluations", &[("base64", "aXNoaQ=="), ("title", "x")]);
    assert!(wrong.refused(422).contains("no evaluation"));
}
