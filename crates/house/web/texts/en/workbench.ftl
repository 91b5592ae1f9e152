# The texts of ishi's workbench: workbench.

workbench-a-blunder-is-told-first = a blunder is told: take it back, or leave it and play on
workbench-a-field-of-the-form-is-wrong = { $field } of the form must be there, and of the right kind: numbers are whole and not negative
workbench-all-problems-in-practice = All problems
workbench-answer = Answer
workbench-back = Back
workbench-back-to-the-game = Back to the game
workbench-back-to-the-workbench = Back to the workbench
workbench-both = Both
workbench-by-is-more-than-this-server = by={ $value } is more than this server gives a player: the number must be at most { $most }
workbench-colours-of-the-system = Colours of the system
workbench-come-in = Come in
workbench-colon = :{" "}
workbench-comma = ,{" "}
workbench-copied = Copied.
workbench-damaged-in-the-database = Damaged in the database
workbench-damaged-in-the-database-so-that = Damaged in the database, so that it cannot be opened:{" "}
workbench-dark = Dark
workbench-decks = Decks
workbench-delete = Delete
workbench-does-not-take-that = { $path } does not take { $method }: go back, and use what the page shows
workbench-drop-a-game-here-sgf-or = Drop a game here: SGF, or an Othello transcript
workbench-due = due
workbench-due-now = Due now: { $due } of { $all }
workbench-enter = Enter
workbench-full-stop = .
workbench-go = Go
workbench-go-on-by-phone = Go on by phone
workbench-i-was-black = I was Black
workbench-i-was-white = I was White
workbench-in-days =
    { $days ->
        [one] in { $days } day
       *[other] in { $days } days
    }
workbench-is-damaged-in-the-database-use = { $title_quoted } is damaged in the database ({ $cause }): use a copy of the database from before, or save and remove it at /damaged
workbench-is-more-than-this-server-gives = { $key }={ $value } is more than this server gives a player: { $key } must be at most { $most }
workbench-ishi-asks-nothing-of-other-sites = ishi asks nothing of other sites: download the SGF{"{file}"} there (or, of Othello, copy the moves), then drop or paste that here.
workbench-it-counts-for-your-strength = The game counts for your strength.
workbench-it-lets-one-browser-in-once = It lets one browser in, once, within an hour.
workbench-it-took-a-while = It took a while
workbench-it-was-easy = It was easy
workbench-it-was-hard = It was hard
workbench-joseki = Joseki
workbench-keys = Keys
workbench-keys-analysis = analysis on or off
workbench-keys-board = to the board, where the arrow keys move a cursor and Enter plays
workbench-keys-ends = to the beginning, to the end
workbench-keys-mistakes = in a review: to the previous mistake, to the next
workbench-keys-one-move = a move back, a move on
workbench-keys-ten-moves = ten moves back, ten on
workbench-laboratory = Laboratory
workbench-leave-it-and-play-on = Leave it and play on
workbench-light = Light
# By these words the page finds lines of moves in remarks: colours before a point, and what says that a line comes instead. | stands between them.
# So it finds moves that are told by number, which # stands for, and what may stand between two numbers. One with a counted thing behind it is no move.
workbench-line-words-between = to | and
workbench-line-words-black = black
workbench-line-words-counted = disc | liberties | liberty | move | percent | point | second | stone | time
workbench-line-words-instead = not played | instead | better
workbench-line-words-number = move # | moves # | #st move | #nd move | #rd move | #th move
workbench-line-words-white = white
workbench-move = Move
workbench-move-number = Move {"{number}"}
workbench-next-in-practice = Next
workbench-next-mistake = Next mistake
workbench-next-problem = Next problem
workbench-no-earlier-mistake = No earlier move lost much.
workbench-no-later-mistake = No later move lost much.
workbench-none-yet-open-a-game-and = None yet: open a game and let it be reviewed.
workbench-none-yet-say-which-colour = None yet: say at a reviewed game which colour you had.
workbench-not-point-try-again = Not {"{point}"}: try again.
workbench-not-possible = Not possible
workbench-nothing-is-damaged-everything-that-people = Nothing is damaged: everything that people made here fits its checksum.
workbench-on = On
workbench-only-this-machine-can-reach-this = Only this machine can reach this address. Start ishi so that others can connect, and open this page again by the machine's name or number:
workbench-othello = Othello
workbench-page-it-must-be-a-page = page { $path }: it must be a page of this workbench, such as /go/abc
workbench-patterns = Patterns
workbench-play-your-answer-on-the-board = Play your answer on the board.
workbench-point-was-played-in-the-game = {"{point}"} was played in the game, and it lost: try another.
workbench-previous-mistake = Previous mistake
workbench-remove = Remove
workbench-remove-for-ever = Remove for ever
workbench-remove-these-rows = Remove these rows
workbench-results-of-campaigns-need-a-copy = These are results of a campaign. Only a copy of the database from before has them whole.
workbench-results-of-the-run-stay = It is a match or an experiment. The results of its tasks stay, and whoever starts it again gets them at once.
workbench-reviewed-games = Reviewed games
workbench-rooms = Rooms
workbench-rows-of-campaigns-come-anew = These rows belong to campaigns. Results stay when they are removed. A campaign makes its rows anew when it is run again, and a worker that is there notes itself again.
workbench-save-what-can-be-read = Save what can be read
workbench-something-in-the-form-is-missing = something in the form is missing or of a wrong kind: numbers are whole and not negative
workbench-sounds = Sounds
workbench-step-moves = Moves
workbench-step-one-back = One back
workbench-step-one-on = One on
workbench-step-ten-back = Ten back
workbench-step-ten-on = Ten on
workbench-strings = Strings
workbench-take-it-back = Take it back
workbench-the-better-line = The better line
workbench-the-game = The game
workbench-the-lesson = The lesson
workbench-the-lessons-are-being-chosen = The lessons are being chosen …
workbench-the-server-cannot-be-reached-has = The server cannot be reached: has it ended?
workbench-the-server-failed = { $cause }
workbench-the-server-is-being-shut-down = the server is being shut down
workbench-the-work-on-this-request-failed = the work on this request failed; that is a fault of the server
workbench-there-is-no-file = there is no file { $name }
workbench-there-is-no-problem = there is no problem { $key }
workbench-there-is-no-such-damaged-document = there is no such damaged document: it was removed, or is whole
workbench-there-is-nothing-at = there is nothing at { $path }
workbench-there-were-too-many-wrong-tokens = there were too many wrong tokens: wait a few seconds and try again
workbench-these-do-not-fit-their-checksums = These do not fit their checksums, so they are not opened. All others are whole. If you have a copy of the database from before, end ishi and put the copy in its place. Otherwise save what can be read of them, and remove them.
workbench-this-address-has-let-somebody-in = this address has let somebody in already, or is older than an hour: the command `ishi token ADDRESS` prints another one, and the token opens the door, too
workbench-this-is-not-the-token = this is not the token
workbench-this-is-too-large-an-upload = this is too large: an upload has 4 MiB at most
workbench-this-request-came-from-a-page = this request came from a page of another site
workbench-this-server-does-not-answer-to = this server does not answer to the name { $host }; --host allows another name
workbench-this-took-too-long-to-send = this took too long to send: it must arrive within 30 seconds
workbench-this-was-changed-in-another-tab = this was changed in another tab meanwhile: reload the page to see it; nothing of yours was saved over it
workbench-this-workbench-asks-every-visitor-for = This workbench asks every visitor for its token, those on its own machine, too. Whoever started it sees the token by the command
workbench-this-workbench-asks-for-its-token = this workbench asks for its token: open { $entrance } in a browser, or send the header Authorization: Bearer TOKEN
workbench-this-workbench-asks-for-no-token = this workbench asks for no token: just open its address
workbench-time-left = about { $minutes }:{ $seconds } left
workbench-to-the-beginning = To the beginning
workbench-to-the-content = To the content
workbench-to-the-end = To the end
workbench-to-the-workbench = To the workbench
workbench-token = Token
workbench-too-many-pages-are-open-at = too many pages are open at once: close some, or try again in a moment
workbench-too-much-is-being-computed-at = too much is being computed at once: try again in a moment
workbench-topics-of-events-it-must-be =
    { $count ->
        [one] { $count } topic
       *[other] { $count } topics
    } of events: it must be 1 to { $most_topics }
workbench-try-it-here = Try it here
workbench-verdict-as-good = { $point } is as good.
workbench-verdict-as-in-the-game = { $point } was played in the game, and it lost.
workbench-verdict-right = Yes, { $point }.
workbench-verdict-wrong = Not { $point }.
workbench-what-can-be-done = What can be done
workbench-what-followed = What followed
workbench-who-is-there = Who is there?
workbench-whose-lessons = Whose lessons
workbench-with-the-address-of-the-workbench = With the address of the workbench behind it, the command prints an address that lets a browser in once, without typing:
workbench-yes-point = Yes, {"{point}"}.
workbench-your-move = Your move.
workbench-your-strength = your strength ({ $opponent })
workbench-your-strength-after-games =
    { $games ->
        [one] Your strength after { $games } game: about { $opponent }
       *[other] Your strength after { $games } games: about { $opponent }
    }
