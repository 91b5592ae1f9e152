//! What visitors must know, and what shows that they know it: the token, codes that let one in once, and cookies. And how often an
//! address may guess.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::random_text::{is_random_text, random_text};

/// A visitor is known for so long: 30 days.
pub(super) const COOKIE_SECONDS: u64 = 30 * 24 * 60 * 60;

/// The least length of a token that a person chose, in characters.
const LEAST_TOKEN: usize = 12;

/// Groups of ten letters in a token that is made: 150 bits.
const TOKEN_GROUPS: usize = 3;

/// Groups of ten letters in a code: 100 bits.
const CODE_GROUPS: usize = 2;

/// A code is good for so long.
pub(super) const CODE_TIME: Duration = Duration::from_secs(60 * 60);

/// Codes that are known at a time; the oldest makes room for the next.
const CODES: usize = 16;

/// What every visitor must know.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken {
    text: String,
    /// A person chose it, so it may be guessed.
    is_guessable: bool,
    /// What cookies are made with beside the token. Without it a guesser could try tokens as cookies, as often as it likes.
    cookie_key: String,
}

/// Why a text is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    /// It is easily guessed.
    #[error("a token must have {} characters or more", LEAST_TOKEN)]
    Short,
    /// It cannot be sent as it is.
    #[error("a token is one line without control characters")]
    NotOneLine,
    /// It was not made by [`AccessToken::draw`].
    #[error("this is no token of ours: remove the file, and the next start makes a new one")]
    Foreign,
}

impl AccessToken {
    /// A new one that nobody guesses.
    #[must_use]
    pub fn draw() -> AccessToken {
        AccessToken::new_unguessable(random_text(TOKEN_GROUPS))
    }

    /// One that [`AccessToken::draw`] made and somebody kept; spaces around it do not count.
    ///
    /// # Errors
    /// If it has another form, because it was cut or changed.
    pub fn from_kept_text(text: &str) -> Result<AccessToken, TokenError> {
        let text = text.trim();
        if !is_random_text(text, TOKEN_GROUPS) {
            return Err(TokenError::Foreign);
        }
        Ok(AccessToken::new_unguessable(text.to_string()))
    }

    fn new_unguessable(text: String) -> AccessToken {
        AccessToken { text, is_guessable: false, cookie_key: String::new() }
    }

    /// One that a person chose; spaces around it do not count. Its cookies end with the process, unless
    /// [`AccessToken::with_cookie_key`] gives it a key that is kept.
    ///
    /// # Errors
    /// If it is short, or not one line.
    pub fn from_chosen_text(text: &str) -> Result<AccessToken, TokenError> {
        let text = text.trim();
        if text.chars().count() < LEAST_TOKEN {
            return Err(TokenError::Short);
        }
        if text.chars().any(char::is_control) {
            return Err(TokenError::NotOneLine);
        }
        Ok(AccessToken { text: text.to_string(), is_guessable: true, cookie_key: random_text(TOKEN_GROUPS) })
    }

    /// Makes its cookies with this secret, which nobody chose.
    #[must_use]
    pub fn with_cookie_key(self, key: &AccessToken) -> AccessToken {
        AccessToken { cookie_key: key.text.clone(), ..self }
    }

    /// The token itself, for its owner.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn matches(&self, shown: &str) -> bool {
        // Hashes have one length, so that the time tells nothing of the length of the token.
        is_equal_constant_time(&hash_text("", shown.trim(), ""), &hash_text("", &self.text, ""))
    }

    /// The name of the cookie. Browsers do not tell ports apart: two workbenches of one machine must not take each other's.
    pub(super) fn cookie_name(&self) -> String {
        format!("ishi-visitor-{}", &self.hash_for_cookie("name")[..8])
    }

    /// What the cookie holds: when it was given, and a hash of that and the token.
    pub(super) fn make_cookie(&self, given: u64) -> String {
        format!("{given}-{}", self.hash_for_cookie(&given.to_string()))
    }

    fn hash_for_cookie(&self, salt: &str) -> String {
        hash_text(&self.cookie_key, &self.text, salt)
    }

    /// Is this a cookie that was given for the token, not too long ago? Times are seconds since 1970.
    pub(super) fn is_valid_cookie(&self, shown: &str, now: u64) -> bool {
        let Some((given, hash)) = shown.split_once('-') else { return false };
        // The hash is of this time, too: nobody makes a cookie younger than it is.
        let is_fresh = given.parse().is_ok_and(|given: u64| now.saturating_sub(given) < COOKIE_SECONDS);
        is_equal_constant_time(hash, &self.hash_for_cookie(given)) && is_fresh
    }
}

/// Shows no token: what is printed for a programmer may be read by others.
impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessToken").field("is_guessable", &self.is_guessable).finish_non_exhaustive()
    }
}

/// A hash from which nobody learns the token.
fn hash_text(key: &str, token: &str, salt: &str) -> String {
    Sha256::digest(format!("ishi workbench {key} {token} {salt}").as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Compares texts in a time that does not tell how much of them is right.
fn is_equal_constant_time(shown: &str, right: &str) -> bool {
    shown.len() == right.len()
        && shown.bytes().zip(right.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Codes that stand in addresses and let a visitor in once.
#[derive(Default)]
pub(crate) struct EntryCodes(Mutex<Vec<EntryCode>>);

struct EntryCode {
    text: String,
    made: Instant,
}

impl EntryCodes {
    fn lock_codes(&self) -> MutexGuard<'_, Vec<EntryCode>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new one.
    pub(crate) fn make_code(&self, now: Instant) -> String {
        let text = random_text(CODE_GROUPS);
        let mut codes = self.lock_codes();
        if codes.len() >= CODES {
            // The oldest makes room: whoever asks for codes again and again fills no memory.
            codes.remove(0);
        }
        codes.push(EntryCode { text: text.clone(), made: now });
        text
    }

    /// Is it one that nobody has used, and not too old? It is used now.
    pub(super) fn use_code(&self, shown: &str, now: Instant) -> bool {
        let mut codes = self.lock_codes();
        codes.retain(|code| now.saturating_duration_since(code.made) < CODE_TIME);
        let found = codes.iter().position(|code| is_equal_constant_time(shown, &code.text));
        found.map(|at| codes.remove(at)).is_some()
    }
}

/// Tokens that an address may try at once, and the time after which it may try one more.
const GUESSES: f64 = 10.0;
const GUESS_PAUSE: Duration = Duration::from_secs(2);

/// Addresses that are remembered for their guesses.
const GUESSERS: usize = 4096;

/// How many tokens each address may still try.
#[derive(Default)]
pub(crate) struct TokenGuesses(Mutex<HashMap<IpAddr, GuessesLeft>>);

#[derive(Clone, Copy)]
struct GuessesLeft {
    left: f64,
    at: Instant,
}

impl GuessesLeft {
    fn at(self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64() / GUESS_PAUSE.as_secs_f64();
        (self.left + passed).min(GUESSES)
    }
}

/// What comes of a token that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenTrial {
    Right,
    Wrong,
    /// The address has tried too many. Whether this one was right is not said.
    TooMany,
}

impl TokenGuesses {
    fn lock_guesses(&self) -> MutexGuard<'_, HashMap<IpAddr, GuessesLeft>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tries a token from this address. One that nobody can guess is always taken, so that no guesser keeps its owner out.
    pub(super) fn try_token(
        &self,
        token: &AccessToken,
        shown: &str,
        address: IpAddr,
        now: Instant,
    ) -> TokenTrial {
        let is_right = token.matches(shown);
        if is_right && !token.is_guessable {
            return TokenTrial::Right;
        }
        match (self.take(address, now), is_right) {
            (true, true) => {
                self.give_back(address);
                TokenTrial::Right
            }
            (true, false) => TokenTrial::Wrong,
            (false, _) => TokenTrial::TooMany,
        }
    }

    /// May this address try one now? It is counted.
    pub(super) fn take(&self, address: IpAddr, now: Instant) -> bool {
        let mut guesses = self.lock_guesses();
        if guesses.len() >= GUESSERS {
            guesses.retain(|_, known| known.at(now) < GUESSES);
        }
        let known = guesses.get(&address).copied();
        if known.is_none() && guesses.len() >= GUESSERS {
            return false;
        }
        let left = known.map_or(GUESSES, |known| known.at(now));
        let may = left >= 1.0;
        guesses.insert(address, GuessesLeft { left: if may { left - 1.0 } else { left }, at: now });
        may
    }

    /// The last one was right, and does not count.
    fn give_back(&self, address: IpAddr) {
        if let Some(known) = self.lock_guesses().get_mut(&address) {
            known.left = (known.left + 1.0).min(GUESSES);
        }
    }

    /// None of those before count any more.
    pub(super) fn forget_guesses(&self, address: IpAddr) {
        self.lock_guesses().remove(&address);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn chosen(text: &str) -> AccessToken {
        AccessToken::from_chosen_text(text).unwrap()
    }

    #[test]
    fn tokens_are_made_kept_and_chosen() {
        let made = AccessToken::draw();
        assert_ne!(made, AccessToken::draw());
        assert_eq!(AccessToken::from_kept_text(&format!("{}\n", made.as_str())), Ok(made.clone()));
        assert!(!format!("{made:?}").contains(made.as_str()), "it is not printed by chance");
        let cut = &made.as_str()[..20];
        for text in ["", "correct horse battery", cut, &made.as_str().to_uppercase()] {
            assert_eq!(AccessToken::from_kept_text(text), Err(TokenError::Foreign), "{text}");
        }
        assert_eq!(AccessToken::from_chosen_text("abc"), Err(TokenError::Short));
        assert_eq!(AccessToken::from_chosen_text("correct\nhorse battery"), Err(TokenError::NotOneLine));
        assert_eq!(chosen(" とても長い合言葉を使います ").as_str(), "とても長い合言葉を使います");
    }

    #[test]
    fn cookies_end_and_belong_to_their_token() {
        let (right, wrong) = (chosen("the right token"), chosen("the wrong token"));
        let cookie = right.make_cookie(1000);
        let last = 999 + COOKIE_SECONDS;
        assert!(right.is_valid_cookie(&cookie, 1000) && right.is_valid_cookie(&cookie, last));
        assert!(!right.is_valid_cookie(&cookie, 1000 + COOKIE_SECONDS), "it is too old");
        assert!(!wrong.is_valid_cookie(&cookie, 1000));
        assert_ne!(right.cookie_name(), wrong.cookie_name());
        let later = cookie.replacen("1000", "9999999", 1);
        assert!(!right.is_valid_cookie(&later, 9_999_999), "nobody can make it younger");
        for other in ["", "-", "1000-", "1000"] {
            assert!(!right.is_valid_cookie(other, 1000), "{other}");
        }
    }

    #[test]
    fn a_cookie_of_a_token_that_can_be_guessed_needs_more_than_the_token() {
        let [token, guessed] = [(); 2].map(|()| chosen("correct horse battery"));
        assert!(!token.is_valid_cookie(&guessed.make_cookie(1000), 1000));
        assert_ne!(token.cookie_name(), guessed.cookie_name());
        let key = AccessToken::draw();
        let [token, again] = [token, guessed].map(|token| token.with_cookie_key(&key));
        assert!(token.is_valid_cookie(&again.make_cookie(1000), 1000), "a kept key outlives the process");
        let other = chosen("another horse battery").with_cookie_key(&key);
        assert!(!other.is_valid_cookie(&token.make_cookie(1000), 1000), "a new token sends all visitors out");
    }

    #[test]
    fn a_code_lets_in_once_and_not_for_ever() {
        let codes = EntryCodes::default();
        let start = Instant::now();
        let code = codes.make_code(start);
        assert!(!codes.use_code("", start) && !codes.use_code(&code[..20], start));
        assert!(codes.use_code(&code, start) && !codes.use_code(&code, start));
        let late = codes.make_code(start);
        assert!(!codes.use_code(&late, start + CODE_TIME));
        let first = codes.make_code(start);
        let others: Vec<String> = (0..CODES).map(|_| codes.make_code(start)).collect();
        assert!(!codes.use_code(&first, start), "it has made room");
        assert!(others.iter().all(|code| codes.use_code(code, start)));
    }

    #[test]
    fn guesses_are_few() {
        let guesses = TokenGuesses::default();
        let start = Instant::now();
        let [stranger, visitor] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        let tried = (0..1000).filter(|_| guesses.take(stranger, start)).count();
        assert_eq!(tried, GUESSES as usize);
        assert!(guesses.take(visitor, start), "others are not held for it");
        let later = start + GUESS_PAUSE;
        assert!(guesses.take(stranger, later) && !guesses.take(stranger, later));
        guesses.forget_guesses(stranger);
        assert!(guesses.take(stranger, later));
    }

    #[test]
    fn a_guesser_keeps_out_nobody_with_a_token_that_cannot_be_guessed() {
        let guesses = TokenGuesses::default();
        let (now, address) = (Instant::now(), IpAddr::V4(Ipv4Addr::LOCALHOST));
        let (made, chosen) = (AccessToken::draw(), chosen("correct horse battery"));
        let try_one = |token: &AccessToken, shown: &str| guesses.try_token(token, shown, address, now);
        for _ in 0..100 {
            assert_eq!(try_one(&chosen, chosen.as_str()), TokenTrial::Right, "right ones do not count");
        }
        let wrong: Vec<TokenTrial> = (0..12).map(|_| try_one(&chosen, "wrong")).collect();
        assert_eq!(wrong[..10], [TokenTrial::Wrong; 10]);
        assert_eq!(wrong[10..], [TokenTrial::TooMany; 2]);
        assert_eq!(try_one(&chosen, chosen.as_str()), TokenTrial::TooMany, "or a guesser would learn it");
        assert_eq!(try_one(&made, made.as_str()), TokenTrial::Right);
        assert_eq!(try_one(&made, "wrong"), TokenTrial::TooMany);
    }

    #[test]
    fn many_guessers_take_no_memory_and_do_not_keep_out_who_came_before() {
        let guesses = TokenGuesses::default();
        let now = Instant::now();
        let visitor = IpAddr::from([192, 0, 2, 1]);
        assert!(guesses.take(visitor, now));
        for number in 0..2 * GUESSERS as u32 {
            guesses.take(IpAddr::V4(Ipv4Addr::from(number)), now);
        }
        assert_eq!(guesses.lock_guesses().len(), GUESSERS);
        assert!(guesses.take(visitor, now));
        assert!(
            guesses.take(IpAddr::V4(Ipv4Addr::BROADCAST), now + GUESS_PAUSE * 2),
            "they are forgotten in time"
        );
    }
}
