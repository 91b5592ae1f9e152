// What the server puts into its pages as JSON: rooms/go/game.rs, rooms/go/share.rs and rooms/othello/view.rs write it.

/** Properties of SGF that are drawn. */
export type DrawnName = "AB" | "AW" | "AE" | "PL" | "TR" | "SQ" | "CR" | "MA" | "SL" | "TB" | "TW" | "LB" | "AR" | "LN" | "DD";

/** Marks, set-up and areas: points as SGF writes them, and composed values. */
export type Drawn = Partial<Record<DrawnName, readonly string[]>>;

/** A node of a game's tree. */
export interface NodeJson {
  /** The parent's number; absent where that is the node before. */
  readonly p?: number;
  /** The move: colour and SGF's point, which is absent for a pass. */
  readonly m?: string;
  /** The comment. */
  readonly c?: string;
  readonly d?: Drawn;
}

/** A reviewed move: its node, Black's win rate and lead after it, and the sign of what it lost. */
export type ReviewRow = readonly [node: number, winRate: number, lead: number, badge: string | null];

/** Words that both pages of Go have. */
export interface GoWords {
  readonly black: string;
  readonly white: string;
  readonly toMove: readonly [string, string];
  readonly pass: string;
  readonly setup: string;
  readonly variations: string;
  readonly next: string;
  readonly line: string;
  readonly leaveFirst: string;
  readonly back: string;
  readonly walk: string;
  readonly moveNumber: string;
  /** That a move has one. */
  readonly remark: string;
  readonly pondering: string;
  readonly played: string;
  readonly captures: string;
  readonly after: string;
}

/** A game of Go; places are numbers of nodes. */
export interface GoGameJson {
  readonly size: readonly [columns: number, rows: number];
  readonly node: number;
  readonly first: "B" | "W";
  readonly nodes: readonly NodeJson[];
  readonly review: readonly ReviewRow[] | null;
}

/** A mistake of Go that is asked again: the position before it, and then the mistake. */
export interface CardGameJson extends GoGameJson {
  readonly words: GoWords;
}

/** The game of the room of Go. */
export interface GoTableJson extends GoGameJson {
  readonly persons: readonly [boolean, boolean];
  readonly over: boolean;
  readonly counting: boolean;
  readonly analysing: boolean;
  /** Komi, rules and handicap: what is thought of a place holds as long as these stay. */
  readonly terms: readonly (string | number | null)[];
  readonly words: GoWords;
}

/** `en`, `ja`, and one for each further folder of texts. */
export type LanguageTag = string;
/** A text in every language. */
export type ToldText = Readonly<Record<LanguageTag, string>>;

/** A line of Go that reading proves, with what is tried and what it comes to. */
export interface TriedLine {
  readonly title: ToldText;
  readonly moves: readonly string[];
}

/** A lesson of a page that is shared. */
export interface SharedLesson {
  /** The number of the move that it is about, from one. */
  readonly number: number;
  readonly color: "B" | "W";
  readonly played: string;
  readonly answers: readonly string[];
  /** The better line: in Go with colours ("B D4"), in Othello squares. */
  readonly better: readonly string[];
  readonly refutation: readonly string[];
  /** Of Go: what can be tried, and how it fails, from the position before the mistake on. */
  readonly tried?: readonly TriedLine[];
  readonly title: ToldText;
  readonly question: ToldText;
  readonly answer: ToldText;
}

/** Words of pages that are shared, of both games. */
export interface SharedWords {
  /** The name of the language in itself. */
  readonly name: string;
  readonly variations: string;
  readonly next: string;
  readonly line: string;
  readonly after: string;
  /** Of the chart: its name, its lines, and that it leads to moves. */
  readonly graphName: string;
  readonly leadLine: string;
  readonly graphHint: string;
  readonly attempt: string;
  readonly answer: string;
  /** Between a line's name and its moves. */
  readonly colon: string;
  readonly betterLine: string;
  readonly refutation: string;
  /** Above lines that were tried. */
  readonly tried?: string;
  readonly ask: string;
  readonly right: string;
  readonly wrong: string;
  readonly same: string;
  readonly noEarlierMistake: string;
  readonly noLaterMistake: string;
}

/** What pages of both games have, that are shared. */
export interface SharedJson<Words extends SharedWords> {
  readonly lessons: readonly SharedLesson[];
  readonly summary: readonly ToldText[];
  readonly languages: Readonly<Record<LanguageTag, Words>>;
}

export type SharedGoWords = GoWords & SharedWords & { readonly chanceLine: string };

export type SharedGoJson = GoGameJson & SharedJson<SharedGoWords>;

export type Sign = "X" | "O";

/** A position of Othello: 64 signs, who is to move (nobody: nothing), where, and whether the other side had to pass. */
export type OthelloPlace = readonly [cells: string, mover: Sign | "", legal: string, passed: boolean];

export interface OthelloWords {
  readonly X: string;
  readonly O: string;
  readonly passed: string;
  readonly toMove: string;
  readonly looking: string;
  readonly last: string;
  readonly study: string;
  readonly off: string;
  readonly may: string;
  readonly line: string;
  readonly leaveFirst: string;
  readonly back: string;
  readonly walk: string;
  readonly moveNumber: string;
  readonly plays: string;
}

/** The game of the room of Othello. */
export interface OthelloGameJson {
  readonly at: number;
  readonly places: readonly OthelloPlace[];
  readonly moves: readonly string[];
  readonly thinks: boolean;
  readonly overlay: string;
  readonly words: OthelloWords;
}

/** A game of Othello that is shared. */
export interface SharedOthelloJson extends SharedJson<OthelloWords & SharedWords> {
  /** Of the board's picture. */
  readonly grid: { readonly margin: number; readonly field: number };
  readonly places: readonly OthelloPlace[];
  readonly moves: readonly string[];
  /** The lead up to which the graph reaches. */
  readonly most: number | null;
  /** Judged moves: their number, Black's lead in discs after it, and the sign of what it lost. */
  readonly review: readonly (readonly [number: number, lead: number, sign: string | null])[] | null;
}

/** A line of a chart. */
export interface ChartSeriesJson {
  readonly name: string;
  /** The number of its colour. */
  readonly color: number;
  /** From left to right: place, value, and the value's interval. Numbers that are not finite come as nothing. */
  readonly points: readonly (readonly [x: number, y: number | null, low?: number | null, high?: number | null])[];
  readonly format?: "percent" | "signed" | null;
  /** From where to where its axis goes; as its values say, if absent. */
  readonly range?: readonly [low: number, high: number] | null;
  /** Its axis is the one on the right. */
  readonly isRight?: boolean;
  readonly isDashed?: boolean;
  /** What is below it is filled. */
  readonly isArea?: boolean;
}

/** A row of a chart of rows. */
export interface ChartRowJson {
  readonly name: string;
  readonly value: number | null;
  readonly interval: readonly [low: number | null, high: number | null] | null;
  /** What was expected. */
  readonly marks: readonly number[];
}

/** What is special about the chart of a game. */
export interface ChartGameJson {
  /** All moves; the place of a move is its number. */
  readonly end: number;
  /** What is shown of each move's place: point or square, from the first move on. */
  readonly names: readonly string[];
  /** Moves to look at: their numbers, and whose they are where that is drawn. */
  readonly faults: readonly (readonly [number: number, side: "B" | "W" | ""])[];
  /** That it leads to moves, in words. */
  readonly hint: string;
}

/** A chart: chart.rs writes it for the rooms, the pages that are shared make it themselves. */
export interface ChartJson {
  readonly title: string;
  /** What the axes show; of a chart of rows `x` is what the values are. */
  readonly x: string;
  readonly y: string;
  /** Is the horizontal axis logarithmic? */
  readonly isLogarithmic?: boolean;
  readonly series: readonly ChartSeriesJson[];
  /** Levels (from a value to itself), and what lies between two. */
  readonly bands: readonly { readonly name: string; readonly low: number; readonly high: number }[];
  readonly rows?: readonly ChartRowJson[];
  readonly game?: ChartGameJson;
}

/** What a "why" that is under way has found. */
export interface WhyProgress {
  readonly known: readonly string[];
  readonly found: readonly { readonly line: readonly string[]; readonly win_rate: number; readonly lead: number }[];
  readonly now: readonly string[] | null;
  /** Does the program that judges answer another question first? */
  readonly waits: boolean;
}

/** The JSON of a script element. */
export function readJson<Known>(element: Element): Known {
  return JSON.parse(element.textContent ?? "") as Known;
}
