//! What holds for all trees and for all bytes.

use ishi_sgf::{
    Collection, GameInfo, GameTree, GoGame, Ident, NodeId, Property, PropertyValue, Warnings, escape_value,
    read_collection, unescape_simple, unescape_text,
};
use proptest::prelude::*;

/// Pieces of records as they are found, sound and broken, in several encodings.
const PIECES: [&[u8]; 40] = [
    b"(;",
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b":",
    b" \r\n",
    b"\n",
    b"FF[4]",
    b"FF[1]",
    b"GM[1]",
    b"GM[2]",
    b"SZ[19]",
    b"SZ[19:13]",
    b"SZ[0]",
    b"SZ[-3]",
    b"SZ[52]",
    b"KM[375]",
    b"KM[1e999]",
    b"HA[9999999999]",
    b"CA[UTF-8]",
    b"CA[Shift_JIS]",
    b"CA[GB2312]",
    b"CA[ISO-2022-JP]",
    b"CA[none]",
    b";B[dd]",
    b";W[tt]",
    b"B[]W[R16]",
    b"AB[aa:ss][ss:aa]",
    b"AW[aa][zz:ZZ]",
    b"AE[]PL[X]",
    b"SiZe[9]",
    b"RE[B+]",
    b"C[a\\]b\\\nc]",
    b"PB[\x83\\\x83]]",
    b"PW[\xe8\x81\x82]",
    b"\x1b$B:d\x1b(B",
    b"\0\xff\xfe",
];

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => prop::sample::select(PIECES.to_vec()).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Everything that can be done with bytes; returns what a second reading must equal.
fn exercise(bytes: &[u8]) {
    let Ok(reading) = read_collection(bytes) else { return };
    assert!(!reading.collection.games.is_empty());
    assert_eq!(reading.encodings.len(), reading.collection.games.len());
    for warning in &reading.warnings {
        assert!(warning.place.offset as usize <= bytes.len(), "{warning}");
    }
    for game in &reading.collection.games {
        let mut warnings = Warnings::new();
        GameInfo::read_main_line(game, &mut warnings);
        if let Ok(go) = GoGame::read_main_line(game) {
            assert!(go.moves().filter_map(|m| m.mv.point()).all(|point| go.size.contains(point)));
        }
    }
    let again = read_collection(reading.collection.to_sgf().as_bytes()).expect("what was written is SGF");
    let mut same = reading.collection;
    same.games.iter_mut().for_each(GameTree::normalise_root);
    assert_eq!(again.collection, same);
}

fn property() -> impl Strategy<Value = Property> {
    let ident = "[A-Z][A-Z0-9]{0,3}".prop_filter("CA and FF are the writer's", |i| i != "CA" && i != "FF");
    let value = prop_oneof![
        any::<String>().prop_map(|text| PropertyValue::from_text(&text)),
        "[a-s]{2}".prop_map(|text| PropertyValue::from_text(&text)),
        any::<(String, String)>().prop_map(|(left, right)| PropertyValue::from_composed(&left, &right)),
    ];
    (ident, prop::collection::vec(value, 0..4))
        .prop_map(|(ident, values)| Property::new(Ident::new(&ident).unwrap(), values))
}

/// A tree from the parent of every node, given as a fraction of the nodes before it.
fn tree() -> impl Strategy<Value = GameTree> {
    let node = (0.0..1.0_f64, prop::collection::vec(property(), 0..4));
    prop::collection::vec(node, 0..25).prop_map(|nodes| {
        let mut tree = GameTree::new();
        let mut ids = vec![NodeId::ROOT];
        for (fraction, properties) in nodes {
            let parent = ids[(fraction * ids.len() as f64) as usize];
            let id = tree.add_child(parent);
            properties.into_iter().for_each(|property| tree.node_mut(id).push_property(property));
            ids.push(id);
        }
        tree.normalise_root();
        tree
    })
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_same(games in prop::collection::vec(tree(), 1..4)) {
        let collection = Collection { games };
        let text = collection.to_sgf();
        let reading = read_collection(text.as_bytes()).unwrap();
        prop_assert_eq!(&reading.collection, &collection);
        prop_assert_eq!(reading.collection.to_sgf(), text);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
        exercise(&[b"(;GM[1]C[", &bytes[..], b"])"].concat());
    }

    #[test]
    fn no_pieces_of_records_make_it_panic(bytes in pieces()) {
        exercise(&bytes);
        exercise(&[b"(;GM[1]", &bytes[..]].concat());
    }

    #[test]
    fn text_survives_its_escapes(text in "[^\r\t\u{b}\u{c}]*") {
        prop_assert_eq!(unescape_text(&escape_value(&text)), text.as_str());
        prop_assert_eq!(unescape_simple(&escape_value(&text)), text.replace('\n', " "));
    }
}
