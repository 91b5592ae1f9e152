//! Every way to play one-ply games gives the same games.

use ishi_othello::oneply::{LeagueRules, play_evaluators, play_games, play_games_with};
use ishi_othello::{Isa, Wpc};
use ishi_rng::Seed;
use proptest::prelude::*;

fn any_wpc() -> impl Strategy<Value = Wpc> {
    let weights = |count| proptest::collection::vec(-1.0..1.0f64, count);
    let coarse = proptest::collection::vec((-2..=2).prop_map(f64::from), 64);
    prop_oneof![
        Just(Wpc::standard()),
        Just(Wpc::random()),
        prop_oneof![weights(10), weights(64), coarse].prop_map(|weights| Wpc::new(&weights).unwrap()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_instruction_sets_play_the_same_games(
        first in any_wpc(),
        second in any_wpc(),
        epsilon in prop_oneof![Just(0.0), Just(0.1), Just(1.0), 0.0..1.0],
        seed in any::<u64>(),
        start in 0u64..1000,
        count in 0u64..40,
    ) {
        let (rules, seed, games) = (LeagueRules { epsilon }, Seed::new(seed), start..start + count);
        let plain = play_evaluators(&first, &second, &rules, seed, games.clone());
        for &isa in Isa::available() {
            let results = play_games_with(isa, &first, &second, &rules, seed, games.clone());
            prop_assert_eq!(&results, &plain, "{:?}", isa);
        }
    }
}

#[test]
fn games_do_not_depend_on_the_batch() {
    let (first, second, rules, seed) = (Wpc::standard(), Wpc::random(), LeagueRules::default(), Seed::new(5));
    let whole = play_games(&first, &second, &rules, seed, 3..60);
    let parts: Vec<i8> =
        (3..60).flat_map(|game| play_games(&first, &second, &rules, seed, game..game + 1)).collect();
    assert_eq!(whole, parts);
}
