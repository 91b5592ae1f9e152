// A reviewed game of Othello on its own.
import { elementOf, partOf } from "./dom";
import { SQUARE, type TextLine, type Walk } from "./lines";
import { drawPlace, drawRings, type OthelloGrid } from "./othello_drawing";
import { type Course, courseWithLine, listDiscs, nextFault, otherOf, sayMove, squareOf } from "./othello_rules";
import { walkOfMove } from "./othello_walks";
import { type ChartJson, type OthelloWords, readJson, type SharedLesson, type SharedOthelloJson, type SharedWords } from "./server";
import { type LineKind, runSharedPage, type SharedGame } from "./shared_page";
import { fillText } from "./texts";

type Words = OthelloWords & SharedWords;

class SharedOthelloGame implements SharedGame<Words> {
  readonly lessons;
  readonly summary;
  readonly languages;
  readonly pointPattern = SQUARE;
  readonly isReviewed: boolean;
  private readonly most: number;
  private words: Words;
  private readonly game: Course;
  private readonly grid: OthelloGrid;
  private readonly review: SharedOthelloJson["review"];
  // The game, or the line that is shown and where it begins.
  private shown: Course;
  private from: number | null = null;
  private at = 0;

  constructor(known: SharedOthelloJson) {
    ({ lessons: this.lessons, summary: this.summary, languages: this.languages, grid: this.grid, review: this.review } = known);
    this.words = known.languages.en;
    this.game = this.shown = { places: known.places, moves: known.moves };
    this.isReviewed = known.review !== null;
    this.most = known.most ?? 8;
  }

  speak(words: Words): void {
    this.words = words;
  }

  // At its beginning a line is there to be walked into, but not yet shown.
  private isInLine(): boolean {
    return this.from !== null && this.at > this.from;
  }

  count() {
    const { at, from } = this, most = this.shown.moves.length;
    return { at, most, line: from !== null && this.isInLine() ? { at: at - from, count: most - from } : null };
  }

  canStep(by: -1 | 1): boolean {
    return by < 0 ? this.at > 0 : this.at < this.shown.moves.length;
  }

  goToMove(number: number): void {
    this.at = Math.max(0, Math.min(Math.round(number) || 0, this.shown.moves.length));
    // Who steps back beyond the beginning of a line is in the game again.
    if (this.from !== null && this.at < this.from) this.leaveLine();
  }

  stepBy(steps: number): void {
    this.goToMove(this.at + steps);
  }

  goToEnd(): void {
    this.goToMove(this.shown.moves.length);
  }

  goBefore({ number }: SharedLesson): void {
    this.leaveLine();
    this.goToMove(number - 1);
  }

  isBefore({ number }: SharedLesson): boolean {
    return !this.isInLine() && this.at === number - 1;
  }

  showLine(lesson: SharedLesson, kind: LineKind): void {
    this.goBefore(lesson);
    this.layLine(kind === "better" ? lesson.better : [lesson.played, ...lesson.refutation]);
  }

  private layLine(squares: readonly string[]): void {
    const walked = courseWithLine(this.game, this.at, squares);
    if (walked.moves.length === this.at) return;
    this.from = this.at;
    this.shown = walked;
    this.at += 1;
  }

  walkOf(line: TextLine, lesson: SharedLesson | null): Walk | null {
    return lesson && walkOfMove(this.game, line, lesson.number, this.words.walk);
  }

  walkThrough({ node, moves }: Walk): void {
    this.leaveLine();
    this.goToMove(node);
    this.layLine(moves);
  }

  leaveLine(): void {
    if (this.from !== null) this.at = Math.min(this.at, this.from);
    this.from = null;
    this.shown = this.game;
  }

  nameMove(number: number): string | null {
    return number > 0 && number <= this.game.moves.length ? fillText(this.words.moveNumber, { number }) : null;
  }

  goToTold(number: number): void {
    this.leaveLine();
    this.goToMove(number);
  }

  goToMistake(by: -1 | 1): boolean {
    const faults = (this.review ?? []).filter(([, , sign]) => sign !== null).map(([number]) => number), found = nextFault(faults, by, this.at, this.isInLine() ? this.from : null);
    if (found !== undefined) this.goToTold(found);
    return found !== undefined;
  }

  choose(square: string): void {
    if (this.shown.moves[this.at] === square) this.stepBy(1);
  }

  vertexAt(x: number, y: number): string | null {
    const { margin, field } = this.grid, [column, row] = [x, y].map((place) => Math.round((place - margin) / field));
    return column >= 0 && row >= 0 && column < 8 && row < 8 ? squareOf(column + 8 * row) : null;
  }

  draw(lit: readonly string[]): void {
    const { shown, at } = this, parts = drawPlace(this.grid, shown.places[at], shown.moves[at - 1], null);
    partOf<SVGElement>(elementOf("board"), "svg .played").replaceChildren(...parts, drawRings(this.grid, lit));
  }

  turnWords(): string {
    const [, mover, , passed] = this.shown.places[this.at], { words } = this;
    if (!mover || !this.isInLine() && this.at === this.game.moves.length) return words.last;
    return (passed ? fillText(words.passed, { color: words[otherOf(mover)] }) : "") + fillText(words.toMove, { color: words[mover] });
  }

  sayMove(): string {
    return sayMove(this.shown, this.at, this.words);
  }

  listStones() {
    const [cells] = this.shown.places[this.at], { words } = this;
    return [[words.X, listDiscs(cells, "X")], [words.O, listDiscs(cells, "O")]] as const;
  }

  comment(): string {
    return "";
  }

  afterWords(): string {
    const row = !this.isInLine() ? this.review?.find(([number]) => number === this.at) : undefined;
    if (!row) return "";
    const [, lead, sign] = row, words = fillText(this.words.after, { lead: lead < 0 ? lead : `+${lead}` });
    return sign ? `${words} ${sign}` : words;
  }

  chart(words: Words): ChartJson {
    const { moves } = this.game, { most } = this, faults = this.lessons.map(({ number }) => [number, ""] as const);
    const points = (this.review ?? []).map(([number, lead]) => [number, lead] as const);
    return {
      title: words.graphName, x: "", y: "", bands: [{ name: "", low: 0, high: 0 }],
      series: [{ name: words.leadLine, color: 2, format: "signed", range: [-most, most], points }],
      game: { end: moves.length, names: moves, faults, hint: words.graphHint },
    };
  }

  hear(): void {}

  variations(): null {
    return null;
  }
}

runSharedPage(new SharedOthelloGame(readJson<SharedOthelloJson>(elementOf("shared-game"))));
