# The texts of ishi's workbench: othello.

othello-a-click-goes-to-that-move = A click goes to that move. Dots are the lessons.
othello-a-draw = a draw
othello-a-game-between-two-engines = A game between two engines, with its review
othello-a-line-is-shown-go-back = A line is shown: go back to the game to play.
othello-a-line-move-at-of-count = A line, move {"{at}"} of {"{count}"}
othello-a-person = a person
othello-a-rating-takes-the-levels-place = A rating from { $low } to { $high } takes the place of the level, for an opponent between the levels. It plays without the book. The points are ishi's own scale, on which level 1 stands at { $first }.
othello-after = After
othello-analyse = Analyse
othello-analysis = Analysis
othello-answer = Answer
othello-as-the-level-says = as the level says
othello-at-the-start = At the start
othello-back-to-the-game = Back to the game
othello-begin = Begin
othello-begin-after-these-moves = Begin after these moves
othello-begin-another-session = Begin another session
othello-beside-the-board = Beside the board
othello-better = Better
othello-black = Black
othello-black-wins = Black wins
othello-blacks-lead-in-discs = Black's lead in discs
othello-blacks-lead-in-discs-after-every = Black's lead in discs after every move
othello-blacks-lead-in-discs-with-best = Black's lead in discs with best play from there
othello-board = Board
othello-book-and-tournament-games = Book and tournament games
othello-by-resignation = {" "}by resignation
othello-cannot-be-shown-on-the-squares = { $overlay } cannot be shown on the squares
othello-color-had-to-pass = {"{color}"} had to pass.{" "}
othello-color-plays-square-count-flipped = {"{color}"} plays {"{square}"}, {"{count}"} flipped
othello-color-to-move = {"{color}"} to move
othello-copy-and-download = Copy and download
othello-copy-the-board = Copy the board
othello-copy-the-transcript = Copy the transcript
othello-discs = Discs
othello-discs-in-view = Discs
othello-discs-with-best-play-blue-is = Discs with best play; blue is best, red loses.
othello-done = done
othello-empty-squares = {" "}empty squares
othello-engines-go-on = Engines go on
othello-engines-wait = engines wait
othello-estimated-behind = {" "}(estimated)
othello-evaluations-out-of-files = Evaluations out of files
othello-exact-endgame = Exact endgame
othello-file = File
othello-from-30-empty-squares-on-the = From 30 empty squares on the endgame can be solved.
othello-further-than-any-level = Further than level 20
othello-game = Game
othello-game-of-the-file = Game of the file
othello-games = Games
othello-games-from-the-start-count-for-your-strength = Games from the usual start against a level from 1 to { $strongest } count for your strength, if nothing is taken back. An opponent of your strength follows your results.
othello-games-in-entrance = Games
othello-games-of-the-wthor-database = Games of the WTHOR database
othello-games-the-side-to-move-won =
    { $games ->
        [one] { $games } game
       *[other] { $games } games
    }. The side to move won { $won }, drew { $drawn }, lost { $lost }
othello-good-moves = Good moves
othello-had-to-pass = {" "}had to pass.{" "}
othello-heat = heat:{" "}
othello-heat-map-what-each-square-adds = Heat map: what each square adds
othello-invalid-time-write-a-number-from = invalid time { $text }: write a number from 0 to 600
othello-ishi-at-a-level = ishi, at a level
othello-ishi-goes-through-the-whole-game = ishi goes through the whole game and picks the moves that lost most discs: each becomes a lesson with a question to answer on the board. A higher level looks deeper and takes longer.
othello-ishi-of-level = ishi, level { $level }
othello-ishi-of-rating = ishi, rating { $rating }
othello-it-is-the-engines-turn = it is the engine's turn
othello-judging-moves-left = Judging, moves left:{" "}
othello-keep = Keep
othello-learn = Learn
othello-legal-moves = Legal moves
othello-lesson-title = Move { $number }: { $name } { $square }
othello-lessons = Lessons
othello-let-these-mistakes-be-asked-again = Let these mistakes be asked again later
othello-level = level
othello-level-1-is-weak-20-strong = Level 1 is weak, level 20 is strong.
othello-level-in-view = Level{" "}
othello-level-number = level { $level }
othello-level-of-review = Level
othello-line = Line
othello-looking = Looking …
othello-looking-back = looking back
othello-looking-back-at-count = , looking back ({"{at}"}/{"{count}"})
othello-lost = Lost
othello-lost-discs-a-move-the-best =
    { $name } lost { $loss ->
        [one] { $loss } disc
       *[other] { $loss } discs
    }, { $mean } a move; the best move { $best } times of { $choices }
othello-lost-discs-what-is-better =
    { $square } lost { $loss ->
        [one] { $loss } disc
       *[other] { $loss } discs
    }. What is better?
othello-may-be-played = may be played
othello-minutes-each = Minutes each
othello-move = Move
othello-move-in-view = Move
othello-move-lost-better-is =
    { $square } lost { $loss ->
        [one] { $loss } disc
       *[other] { $loss } discs
    }. Better: { $better } ({ $value }).
othello-move-number = Move { $number }
othello-moves = {" "}moves
othello-moves-label = moves:{" "}
othello-moves-of-the-book = Moves of the book
othello-moves-of-the-game = Moves of the game
othello-moves-of-these-games = Moves that were played next
othello-moves-one-ply-ahead = Moves, one ply ahead
othello-moves-that-lost-most = Moves that lost most
othello-name = Name
othello-name-to-play-what-is-best = { $name } to play. What is the best move?
othello-new-game = New game
othello-no-clock = no clock
othello-no-move-lost-2-discs-or = No move lost 2 discs or the game.
othello-no-moves-yet = No moves yet: click on a dotted square.
othello-no-person-plays-here = no person plays here
othello-none = none
othello-none-yet-begin-a-game-or = None yet: begin a game, or paste a transcript.
othello-on-the-squares = On the squares
othello-on-time = {" "}on time
othello-one-file-that-shows-game-review = One file that shows game, review and lessons anywhere, without ishi
othello-one-move-back = One move back
othello-one-move-on = One move on
othello-open = Open
othello-open-a-record-or-a-position = Open a record or a position
othello-opening = Opening
othello-opening-label = Opening:{" "}
othello-openings = Openings to practise
othello-openings-asked-until-you-know-them = Openings, asked until you know them
othello-openings-begin-with-moves = openings begin with moves from the usual start, such as f5d6c3: a board has none
othello-or-a-file = or a file
othello-othello = Othello
othello-othello-board = Othello board
othello-parameters = parameters
othello-parameters-take-the-levels-place = Parameters take the place of level and rating.
othello-person = person
othello-piece-counter-out-of-a-file = piece counter out of a file
othello-play = Play
othello-play-on-from-here = Play on from here
othello-player = Player
othello-players = Players
othello-points = Points
othello-positions = {" "}positions,{" "}
othello-positions-of-the-book-are-asked = Positions of the opening book are asked. An answer within a disc of the best is right. What you miss is asked again behind the others, and in later sessions until you know it.
othello-positions-will-come-back =
    { $later ->
        [one] { $later } position
       *[other] { $later } positions
    } will come back in later sessions.
othello-positions-with-30-empty-squares-or = positions with 30 empty squares or fewer can be solved, until the game is over
othello-practice = Practice
othello-problems-out-of-your-reviewed-games = Problems out of your reviewed games come back when you are about to forget them. Every move within a disc of the best one is right.
othello-rating = rating
othello-resign = Resign
othello-resign-question = Resign this game?
othello-review = Review
othello-review-the-game = Review the game
othello-seconds-more-a-move = Seconds more a move
othello-semicolon = ;{" "}
othello-session-and-what-is-left = Session { $session }, { $left } more
othello-share-html = Share (HTML)
othello-show-the-answer = Show the answer
othello-side = Side
othello-so-far = so far{" "}
othello-solve-the-endgame = Solve the endgame
othello-solving = Solving{" "}
othello-solving-in-view = Solving
othello-something-to-look-at = Something to look at:
othello-square-is-not-in-the-book = { $square } is not in the book.
othello-square-loses-discs =
    { $square } loses { $loss ->
        [one] { $loss } disc
       *[other] { $loss } discs
    }.
othello-start-from = Start from
othello-stop = Stop
othello-stop-analysing = Stop analysing
othello-stop-the-engine = Stop the engine
othello-sum = sum{" "}
othello-sure = Sure
othello-take-back = Take back
othello-teaching-game = A teaching game: blunders can be taken back.
othello-teaching-game-stops-at-blunders = Teaching game: ishi stops at a blunder, says why, and you may take it back
othello-the-analysis-is-off = The analysis is off.
othello-the-better-line = The better line
othello-the-book-does-not-know-this = The book does not know this position.
othello-the-book-has-nothing-to-ask = the book has nothing to ask after { $moves }: begin with fewer moves
othello-the-engine-is-thinking = the engine is thinking …
othello-the-engine-is-to-move-the = The engine is to move; the analysis goes on after it.
othello-the-evaluation-after-the-move-blue = The evaluation after the move; blue is best, red worst.
othello-the-evaluation-needs-a-name = the evaluation needs a name
othello-the-file-did-not-arrive-whole = the file did not arrive whole: choose it again
othello-the-game = The game
othello-the-game-is-over = the game is over
othello-the-game-is-over-label = The game is over:{" "}
othello-the-game-is-over-sentence = The game is over.
othello-the-latest-with-the-result = The latest: year, result for Black in discs, moves
othello-the-line-that-was-left = The line that was left
othello-the-losing-move = the losing move
othello-the-piece-counter-is-not-there = the piece counter is not there any more: choose another player
othello-the-session-is-done = Done: { $right } right, { $missed } missed.
othello-the-usual-start-or-f5d6c3-or = the usual start; or f5d6c3, or a board
othello-there-are-no-moves-to-review = there are no moves to review
othello-there-is-no-game-it-may = there is no game { $key }: it may have been deleted
othello-there-is-no-game-the-text = there is no game { $number }: the text has { $count }, counted from 1
othello-there-is-no-here = there is no { $action } here
othello-there-is-no-here-value = there is no { $name } here
othello-there-is-no-move-to-take = there is no move to take back
othello-this-is-no-evaluation = this is no evaluation: { $error }
othello-this-server-has-no-games-of = this server has no games of the WTHOR database: it must be started with --othello-games
othello-time = Time
othello-to-move = {" "}to move
othello-to-the-last-move = To the last move
othello-to-the-start = To the start
othello-transcript = Transcript
othello-transcript-f5d6c3-board-sgf-ggf-obf = Transcript (f5d6c3…), board, SGF, GGF, OBF, or a link with the moves
othello-transcript-in-view = Transcript
othello-try-it-here = Try it here
othello-until-all-is-exact = 20, and on until all is exact
othello-up-to-level = up to level
othello-values = Values
othello-values-of-the-moves = Values of the moves
othello-values-of-the-moves-by-search = values of the moves by search
othello-wait-square-is-a-blunder = Wait: { $square } is a blunder.
othello-walk-through-line = Walk through {"{line}"}
othello-what-each-square-adds-for-the = What each square adds for the side to move; blue is good, red bad.
othello-what-followed = How it is answered
othello-what-ishi-othello-evaluation-fit-or = What ishi othello evaluation fit or train wrote, a piece counter, or a published network: to be shown on the squares. A piece counter can also play.
othello-what-sure-means = 12@95% means 12 plies ahead, with cuts that are right 95 times in 100. Only what is exact is proved.
othello-what-the-graph-shows = Black's lead in discs after every move. A click leads there. Dots are moves that lost 2 discs or more.
othello-where-one-may-play = where one may play
othello-white = White
othello-white-wins = White wins
othello-whose-moves-are-asked = Whose moves are asked
othello-why = Why
othello-with-best-play-after-this-move = With best play after this move Black's lead is {"{lead}"}.
othello-with-best-play-by-both-proved = with best play by both, proved
othello-your-move-is-looked-at-first = your move is looked at first …
othello-your-own-mistakes = Your own mistakes
othello-your-own-mistakes-asked-again-in = Your own mistakes, asked again in time
