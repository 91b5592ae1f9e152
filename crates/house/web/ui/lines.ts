// Points of Go and squares of Othello that a text names, and lines of moves: `B D4, W Q16`, `D4 Q16 C3`, `1. D4 2. Q16`, and of Othello `f5 d6` or
// `f5d6`. Points with commas alone between them (`D4, Q16`) are no line: they may be choices. A remark may be in any language, whatever that of the page
// is: the page brings the words of all its languages. Moves that a text tells by number (`moves 12 to 34`) are found by such words, too.

/** Points of Go. */
export const VERTEX = /(?<![A-Za-z0-9])([A-HJ-T](?:1\d|2[0-5]|[1-9]))(?![A-Za-z0-9])/;

/** Squares of Othello; those of a line stand one behind the other at times. */
export const SQUARE = /(?<=(?<![A-Za-z0-9])(?:[a-h][1-8])*)([a-h][1-8])(?=(?:[a-h][1-8])*(?![A-Za-z0-9]))/;

/** A move that a text names. Without a colour it follows the move before it. */
export interface TextMove {
  readonly color: "B" | "W" | null;
  readonly vertex: string;
}

export interface TextLine {
  readonly moves: readonly TextMove[];
  /** Does its sentence say before it that it comes in place of the move that the text is about? */
  readonly isInstead: boolean;
}

/** Words by which lines are read, of all languages of the pages. */
export interface LineWords {
  readonly black: readonly string[];
  readonly white: readonly string[];
  /** What a sentence says that names a line in place of a move. */
  readonly instead: readonly string[];
  /** How moves are told by number, which # stands for; and what stands between two such numbers. */
  readonly number: readonly string[];
  readonly between: readonly string[];
  /** What stands behind a number that counts something. */
  readonly counted: readonly string[];
}

/** How the page walks through such a line: the place from which it goes on, and its moves as the room has them. */
export interface Walk {
  readonly node: number;
  readonly moves: readonly string[];
  /** What the button says that begins it. */
  readonly label: string;
  /** The place whose text this is, if it is another one: who leaves the line is there again. */
  readonly told?: number;
}

/** Gives the way to walk through a line; nothing where it cannot be played. */
export type FindWalk = (line: TextLine) => Walk | null;

/** What a button says that leads to the move of this number; nothing where the game has none. */
export type NameMove = (number: number) => string | null;

/** A text in pieces: what stands between, points, numbers of moves, and lines. A line comes behind its last point. */
export type TextPiece = string | { readonly vertex: string } | { readonly number: number } | TextLine;

// What may stand between two moves, where the second one has a colour and where it has none. A number 1 begins a line. U+30FB is a middle dot.
const BEFORE_COLOR = /^[\s,、，\u30fb→>–—-]*(?:(?!1\b)\d{1,3}[.:)]?\s*)?$/;
const BEFORE_POINT = /^(?:[ \t]*(?:->|[→>\u30fb–—-])?[ \t]*|[\s,、，]+(?!1\b)\d{1,3}[.:)][ \t]*)$/;

/** Colours as records write them, in no language. */
const LETTER = /(?<![A-Za-z])(?:(B)|(W))[\s:：]*$/;
/** No word begins here inside another one. Writing without spaces has no such places. */
const WORD_BEGINS = "(?<!(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}])\\p{L})";

const asWritten = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
const anyOf = (words: readonly string[]) => words.map(asWritten).join("|") || "(?!)";

/** Finds a colour at the end of what stands before a move: the first group is Black's, the second one White's. */
function colorPattern({ black, white }: LineWords): RegExp {
  return new RegExp(`${WORD_BEGINS}(?:(${anyOf(black)})|(${anyOf(white)}))[\\s:：]*$`, "iu");
}

/** Finds the words that tell moves by number, with all their numbers: `moves 3, 14 and 20`. A number that counts something is none: `moves 3, 14, 28 discs`. */
function numberPattern({ number, between, counted }: LineWords): RegExp {
  const one = `\\d{1,3}(?!\\d|[.,]\\d|\\s*%|\\s*(?:${anyOf(counted)}))`;
  const join = `\\s*[,、]?\\s*(?:${anyOf(between)})\\s*|\\s*[,、\\u30fb–-]\\s*`, list = `${one}(?:(?:${join})${one})*`;
  const ways = number.map((word) => {
    const [before, after = ""] = word.split("#").map((part) => part.trim());
    return `${before ? WORD_BEGINS + asWritten(before) : "(?<![\\d.,])"}\\s*${list}\\s*${asWritten(after)}`;
  });
  return new RegExp(ways.join("|") || "(?!)", "giu");
}

/** A text without points, cut at the numbers of moves that it tells. */
function cutNumbers(text: string, numbers: RegExp): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const told of text.matchAll(numbers)) {
    for (const digits of told[0].matchAll(/\d+/g)) {
      const from = told.index + digits.index;
      pieces.push(text.slice(at, from), { number: Number(digits[0]) });
      at = from + digits[0].length;
    }
  }
  return [...pieces, text.slice(at)];
}

interface Found extends TextMove {
  /** What stands between the move before and this one, without its colour. */
  readonly gap: string;
}

function readMove(before: string, vertex: string, colors: RegExp): Found {
  const found = colors.exec(before) ?? LETTER.exec(before);
  if (!found) return { color: null, vertex, gap: before };
  return { color: found[1] ? "B" : "W", vertex, gap: before.slice(0, found.index) };
}

// Letters of marks (`A D4, B Q16`) are no colours.
const followsOn = ({ color, gap }: Found, before: readonly Found[]): boolean => color ? before.some((move) => move.color) && BEFORE_COLOR.test(gap) : BEFORE_POINT.test(gap);
const sentenceEnd = (text: string): string => text.split(/[\p{Sentence_Terminal}\n]/u).at(-1) ?? "";

export type CutText = (text: string, pattern: RegExp) => readonly TextPiece[];

/** Reads lines by these words. */
export function readLinesBy(words: LineWords): CutText {
  const colors = colorPattern(words), numbers = numberPattern(words), instead = words.instead.map((word) => word.toLowerCase());
  const isInstead = (before: string) => instead.some((word) => before.toLowerCase().includes(word));
  return (text, pattern) => {
    const parts = text.split(pattern), pieces: TextPiece[] = [];
    let moves: Found[] = [], before = "", told = "";
    const endLine = () => {
      if (moves.length > 1) pieces.push({ moves: moves.map(({ color, vertex }) => ({ color, vertex })), isInstead: isInstead(before) });
      moves = [];
    };
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const move = readMove(parts[at], parts[at + 1], colors);
      if (!moves.length || !followsOn(move, moves)) {
        endLine();
        before = sentenceEnd(told + move.gap);
      }
      moves.push(move);
      pieces.push(...cutNumbers(parts[at], numbers), { vertex: move.vertex });
      told += parts[at] + move.vertex;
    }
    endLine();
    return [...pieces, ...cutNumbers(parts.at(-1) ?? "", numbers)];
  };
}

let reader: CutText | undefined;
/** Cuts a text by the words that the page brings (`data-line-words` of its body). */
export const cutText: CutText = (text, pattern) => {
  reader ??= readLinesBy({ black: [], white: [], instead: [], number: [], between: [], counted: [], ...JSON.parse(document.body.dataset.lineWords ?? "{}") as Partial<LineWords> });
  return reader(text, pattern);
};

/** Of several ways the one that has most moves, the first of these; a way has two at least. */
export function longestWalk(walks: readonly Walk[]): Walk | null {
  return walks.reduce<Walk | null>((best, walk) => walk.moves.length > (best?.moves.length ?? 1) ? walk : best, null);
}
