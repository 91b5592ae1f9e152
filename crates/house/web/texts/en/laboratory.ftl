# The texts of ishi's workbench: laboratory.

laboratory-a = A
laboratory-a-minute = A minute
laboratory-a-new-match = A new match
laboratory-a-program = a program
laboratory-a-quick-run-for-tests-nothing = A quick run, for tests: nothing follows from its figures.
laboratory-about-on-one-thread-tasks-judged =
    About { $time } on one thread: { $missing ->
        [one] { $missing } task
       *[other] { $missing } tasks
    }, judged by { $done } that were done here.
laboratory-about-on-one-thread-tasks-they =
    About { $time } on one thread: { $missing ->
        [one] { $missing } task
       *[other] { $missing } tasks
    }. They took that long on the machine of the kept report.
laboratory-about-on-one-thread-tasks-this =
    About { $time } on one thread: { $missing ->
        [one] { $missing } task
       *[other] { $missing } tasks
    }. This is their time in the kept report, times { $factor }. That is how this machine compares on some that were tried.
laboratory-about-pairs-on-one-thread-s =
    About { $all }: { $pairs ->
        [one] { $pairs } pair
       *[other] { $pairs } pairs
    } on one thread, { $seconds } s for the first.
laboratory-ago = ago
laboratory-alarms = Alarms
laboratory-all = all
laboratory-all-games-that-are-kept = All games that are kept
laboratory-all-matches-in-the-database = All matches in the database
laboratory-an-alarm-is-a-result-that = An alarm is a result that came twice and was not the same: a machine computes wrongly, or two builds called the same are not.
laboratory-an-early-report-tasks-that-are = An early report: tasks that are not finished:{" "}
laboratory-another-seed = Another seed
laboratory-at-most = at most { $time }
laboratory-at-once = At once
laboratory-b = B
laboratory-begin = Begin
laboratory-black = Black
laboratory-board = Board
laboratory-board-after-move = Board after move
laboratory-board-go = Board (Go)
laboratory-board-it-must-be = board { $text }: it must be { $right }
laboratory-campaign = Campaign
laboratory-campaigns = Campaigns
laboratory-campaigns-and-their-workers = Campaigns and their workers
laboratory-cause = Cause
laboratory-claim-set-up-deviations-readme = Claim, set-up, deviations (README)
laboratory-compare = Compare
laboratory-compare-what-is-marked = Compare what is marked
laboratory-conditions = Conditions
laboratory-copy = Copy
laboratory-cpu-hours = CPU-hours
laboratory-curves-are-shown-of-campaigns = Curves are shown of { $shown } of { $count } campaigns: those with open tasks come first.
laboratory-curves-of = Curves of { $name }
laboratory-days = days
laboratory-days-since-the-first-result = days since the first result
laboratory-decided-by-the-sequential-test = Decided by the sequential test.
laboratory-done = done
laboratory-elo-of-a-95 = Elo of A (95 %)
laboratory-elo-of-a-over-b = Elo of A over B
laboratory-elo-of-a-over-b-with = Elo of A over B, with its 95 % interval
laboratory-ends-soon = ends soon
laboratory-expected-and-found = Expected and found
laboratory-experiment = Experiment
laboratory-experiment-and-run = { $title } ({ $variant })
laboratory-experiments = Experiments
laboratory-failed = Failed
laboratory-failures = Failures
laboratory-figures = Figures
laboratory-finished = Finished
laboratory-finished-in-matches = Finished.
laboratory-finished-sentence = Finished.
laboratory-finished-tasks-a-minute = { $name }: finished tasks a minute
laboratory-found-with-nothing-to-compare = Found, with nothing to compare
laboratory-full-run = Full run
laboratory-game = Game
laboratory-games = Games
laboratory-games-are-too-many = { $count } games are too many for one file: choose a run, a board or a player ({ $most } are possible)
laboratory-games-come-as-file-csv-file = games come as file.csv, file.json and file.sgf
laboratory-games-of-this-run = Games of this run
laboratory-games-page =
    { $count ->
        [one] { $count } game
       *[other] { $count } games
    }, page { $page }/{ $pages }
laboratory-given-up = given up
laboratory-go = Go
laboratory-go-on = Go on
laboratory-h = h
laboratory-h0-no-more-than-the-first = H0: no more than the first
laboratory-h1-the-second-or-more = H1: the second or more
laboratory-heard-of = Heard of
laboratory-hours-since-the-first-result = hours since the first result
laboratory-how-long-will-it-take = How long will it take?
laboratory-is-a-program-here-built-in = { $text } is a program: here built-in players play, and programs that whoever started the server allows (--programs)
laboratory-is-a-program-here-built-in-value = { $text } is a program: here built-in players play, and programs that whoever started the server allows (--programs): { $names }
laboratory-it-broke-off = It broke off:{" "}
laboratory-its-games-stay-in-the-database = Its games stay in the database.
laboratory-kept-report = kept report
laboratory-komi = komi
laboratory-komi-go-empty-the-rules-own = Komi (Go; empty: the rules' own)
laboratory-laboratory = Laboratory
laboratory-left-to-others = left to others
laboratory-list-and-replay = List and replay
laboratory-look = look
laboratory-match = match
laboratory-matches = Matches
laboratory-matches-compared = Matches compared
laboratory-matches-in-the-database = Matches in the database
laboratory-matches-it-must-be-1-to =
    { $count ->
        [one] { $count } match
       *[other] { $count } matches
    }: it must be 1 to { $compared }. Choose them in the laboratory's list
laboratory-min = min
laboratory-minutes-since-the-first-result = minutes since the first result
laboratory-more-than-none-of-tasks-ended =
    More than { $time }: none of { $missing ->
        [one] { $missing } task
       *[other] { $missing } tasks
    } ended in that time.
laboratory-more-than-on-one-thread-tasks =
    More than { $time } on one thread: { $missing ->
        [one] { $missing } task
       *[other] { $missing } tasks
    }, judged by { $done } that were done here. One more did not end in { $patience } s.
laboratory-more-than-the-first-pair-does = More than { $all }: the first pair does not end in { $seconds } s.
laboratory-moves = Moves
laboratory-next-page = Next page ▶
laboratory-no-games-begin-a-match = There are none: take another filter, or begin a match:
laboratory-no-match-was-made-here-yet = No match was made here yet: choose two players below.
laboratory-no-report-yet-it-is-made = No report yet: it is made when the tasks are finished.
laboratory-no-task-is-finished-yet-the = No task is finished yet: the curves begin with the first result.
laboratory-no-worker-was-noted-in-this = No worker was noted in this time.
laboratory-nobody-works-a-worker-is-started = Nobody works. A worker is started by{" "}
laboratory-not-done = Not done:{" "}
laboratory-not-running = Not running.
laboratory-not-running-finished-pairs-are-kept = Not running; finished pairs are kept.
laboratory-nothing-is-kept-this-server-has = Nothing is kept: this server has no database, so nothing can be run here.
laboratory-open-in-the-go-room = Open in the Go room
laboratory-or-by-elo = or by (Elo)
laboratory-othello = Othello
laboratory-other-findings = Other findings
laboratory-page-before = ◀ Page before
laboratory-pages = Pages
laboratory-pairs = pairs
laboratory-pairs-in-again = Pairs
laboratory-pairs-in-all = Pairs in all
laboratory-pairs-it-must-be = pairs { $text }: it must be { $right }
laboratory-pairs-of-games = Pairs of games
laboratory-play-it-again = Play it again
laboratory-play-more-pairs = Play more pairs
laboratory-player = Player
laboratory-player-a = Player A
laboratory-player-b = Player B
laboratory-players = Players
laboratory-players-and-their-parameters = Players and their parameters
laboratory-progress = Progress
laboratory-quick-run = Quick run
laboratory-random-moves-at-the-beginning = Random moves at the beginning
laboratory-random-moves-first = random moves first
laboratory-random-moves-it-must-be = random moves { $text }: it must be { $right }
laboratory-reason = Reason
laboratory-remove = Remove
laboratory-remove-this-match-from-the-list = Remove this match from the list
laboratory-replay = Replay
laboratory-replay-word = replay
laboratory-result = Result
laboratory-results = Results
laboratory-rules-go = Rules (Go)
laboratory-run = Run
laboratory-running = running
laboratory-running-in-campaigns = Running
laboratory-running-in-matches = Running.
laboratory-running-sentence = Running.{" "}
laboratory-runs-that-are-not-finished = runs that are not finished
laboratory-s = s
laboratory-score = score
laboratory-score-in-each-match = { $name }: score of the first player per game, with its 95 % interval
laboratory-score-match-by-match = { $name }: score of { $player } against { $opponent }, match by match, with 95 % intervals
laboratory-score-of-a-95 = Score of A (95 %)
laboratory-score-of-a-per-game-with = Score of A per game, with its 95 % interval
laboratory-score-over-the-pairs = { $name }: score of the first player over the pairs, with its 95 % interval
laboratory-score-per-game-pairs-95 = Score per game (pairs, 95 %)
laboratory-seconds-since-the-first-result = seconds since the first result
laboratory-seed = seed
laboratory-seed-empty-the-servers = Seed (empty: the server's)
laboratory-seed-it-must-be = seed { $text }: it must be { $right }
laboratory-seed-version-machine-cost = Seed, version, machine, cost
laboratory-sequential-test-log-likelihood-ratio = Sequential test: log likelihood ratio
laboratory-show = Show
laboratory-silent-killed-or-frozen = silent: killed or frozen
laboratory-so-far = So far
laboratory-sprt-elo-it-must-be = SPRT (Elo) { $text }: it must be { $right }
laboratory-start = Start
laboratory-state = State
laboratory-stop = Stop
laboratory-stop-early-sprt-when-it-is = Stop early (SPRT) when it is clear whether A is stronger by (Elo)
laboratory-stopped-campaign = stopped
laboratory-stopped-what-is-finished-is-kept = Stopped; what is finished is kept.
laboratory-task = Task
laboratory-tasks = tasks
laboratory-tasks-a-minute = tasks a minute
laboratory-tasks-at-once = Tasks at once
laboratory-the-curves-are-being-read = The curves are being read…
laboratory-the-match-cannot-be-played = the match cannot be played any more
laboratory-the-matches-that-began-last = { $shown } of { $count } matches are shown: those that began last.
laboratory-the-run-failed = the run failed: a fault of ishi
laboratory-the-tasks-are-being-listed = The tasks are being listed…
laboratory-the-variants-are-full-and-quick = the variants are full and quick
laboratory-there-is-no-campaign-in-this = There is no campaign in this database. It begins with{" "}
laboratory-there-is-no-folder-of-experiments = There is no folder of experiments here:{" "}
laboratory-there-is-no-game-it-must = there is no game { $other }: it must be go or othello
laboratory-there-is-no-report-yet-run = there is no report yet: run the experiment first
laboratory-there-is-no-such-experiment = there is no such experiment
laboratory-there-is-no-such-game = there is no such game
laboratory-there-is-no-such-match = there is no such match
laboratory-these-are-the-kept-results-that = These are the kept results that came with the program; a run of yours takes their place when it is finished.
laboratory-this-match-is-being-played-stop = this match is being played: stop it first, or play more when it has ended
laboratory-this-server-keeps-nothing-so-it = this server keeps nothing, so it cannot run anything: start it with --db FILE
laboratory-time-left = Time left
laboratory-to-the-full-run = To the full run
laboratory-to-the-quick-run = To the quick run
laboratory-too-many-matches-are-played-or = too many matches are played or wait already: stop one of them, or try again when one has ended
laboratory-tried-again = tried again
laboratory-tries = Tries
laboratory-undecided = undecided
laboratory-waiting = Waiting
laboratory-waiting-before-it = Waiting; before it: { $before }
laboratory-waiting-word = waiting
laboratory-what-was-said-to-the-program = What was said to the program that failed
laboratory-where-these-figures-come-from = Where these figures come from
laboratory-white = White
laboratory-win-rate-of-a-wilson-95 = Win rate of A (Wilson, 95 %)
laboratory-worker = Worker
laboratory-workers = Workers
laboratory-workers-in-curves = workers
laboratory-workers-of-the-database = { $name }: workers of the database
laboratory-works = works
