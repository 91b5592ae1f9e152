// A reviewed game of Go on its own.
import { elementOf, partOf } from "./dom";
import { walkOf } from "./go_walks";
import { type TextLine, VERTEX, type Walk } from "./lines";
import { drawLit, drawRemarks, drawStone, FIELD, MARGIN } from "./go_drawing";
import { onTreeGo, showTree } from "./go_tree";
import { Variations } from "./go_variations";
import { type ChartJson, type ChartSeriesJson, readJson, type ReviewRow, type SharedGoJson, type SharedGoWords, type SharedLesson } from "./server";
import { type LineKind, runSharedPage, type SharedGame } from "./shared_page";
import { fillText, percent, signed } from "./texts";
import { PageGame } from "./tree";

/** Black's chance, and Black's lead around the middle: as review.rs has them in the room. */
function linesOf(review: readonly ReviewRow[], words: SharedGoWords): readonly ChartSeriesJson[] {
  const most = Math.ceil(Math.max(10, ...review.map(([, , lead]) => Math.abs(lead))) / 10) * 10;
  return [
    { name: words.chanceLine, color: 1, format: "percent", range: [0, 1], isArea: true, points: review.map(([, rate], index) => [index + 1, rate] as const) },
    { name: words.leadLine, color: 2, format: "signed", range: [-most, most], isRight: true, isDashed: true, points: review.map(([, , lead], index) => [index + 1, lead] as const) },
  ];
}

class SharedGoGame implements SharedGame<SharedGoWords> {
  readonly lessons;
  readonly summary;
  readonly languages;
  readonly pointPattern = VERTEX;
  readonly isReviewed: boolean;
  private readonly game: PageGame;

  constructor(known: SharedGoJson) {
    ({ lessons: this.lessons, summary: this.summary, languages: this.languages } = known);
    this.game = new PageGame(known, known.languages.en);
    this.isReviewed = known.review !== null;
  }

  speak(words: SharedGoWords): void {
    this.game.words = words;
  }

  count() {
    const { game } = this, { current, own, nodes } = game;
    const line = game.isInLine() ? { at: current - own + 1, count: nodes.length - own } : null;
    return { at: game.board(current).moves, most: game.countMoves(), line };
  }

  canStep(by: -1 | 1): boolean {
    return this.game.stepped(by) !== this.game.current;
  }

  private goTo(index: number | undefined): void {
    const { game } = this;
    if (index === undefined) return;
    game.stand(index);
    if (!game.isInLine() && index !== game.lineBase()) game.leaveLine();
  }

  stepBy(steps: number): void {
    this.goTo(this.game.stepped(steps));
  }

  goToMove(number: number): void {
    this.goTo(this.game.nodeOfMove(number));
  }

  goToEnd(): void {
    this.goTo(this.game.lineEnd());
  }

  private nodeOf({ number }: SharedLesson): number | undefined {
    return this.game.review?.[number - 1]?.[0];
  }

  private placeBefore(lesson: SharedLesson): number | undefined {
    const node = this.nodeOf(lesson);
    return node === undefined ? undefined : this.game.nodes[node].p;
  }

  goBefore(lesson: SharedLesson): void {
    this.leaveLine();
    this.goTo(this.placeBefore(lesson));
  }

  isBefore(lesson: SharedLesson): boolean {
    return this.game.current === this.placeBefore(lesson);
  }

  showLine(lesson: SharedLesson, kind: LineKind): void {
    this.goBefore(lesson);
    // The refutation follows the move of the game.
    const mistake = `${lesson.color} ${lesson.played}`, tried = typeof kind === "number" ? lesson.tried?.[kind].moves : undefined;
    this.game.showLine(tried ?? (kind === "better" ? lesson.better : [mistake, ...lesson.refutation]));
  }

  walkOf(line: TextLine, lesson: SharedLesson | null): Walk | null {
    const { game } = this, node = lesson ? this.nodeOf(lesson) : game.textPlace();
    return node === undefined ? null : walkOf(game, line, node);
  }

  walkThrough({ node, moves, told }: Walk): void {
    this.leaveLine();
    this.goTo(node);
    this.game.showLine(moves, told);
  }

  leaveLine(): void {
    this.game.leaveLine();
  }

  nameMove(number: number, isOfReview: boolean): string | null {
    return this.game.nameOfTold(number, isOfReview);
  }

  goToTold(number: number, isOfReview: boolean): void {
    this.leaveLine();
    this.goTo(this.game.nodeOfTold(number, isOfReview));
  }

  goToMistake(by: -1 | 1): boolean {
    const found = this.game.mistake(by, "");
    this.goTo(found);
    return found !== undefined;
  }

  choose(vertex: string): void {
    const { game } = this, cell = game.cellOf(vertex);
    this.goTo(game.nodes[game.current].children.find((index) => game.cellOfMove(index) === cell));
  }

  vertexAt(x: number, y: number): string | null {
    const [column, row] = [x, y].map((place) => Math.round((place - MARGIN) / FIELD)), { columns, rows } = this.game;
    return column >= 0 && row >= 0 && column < columns && row < rows ? this.game.vertex(row * columns + column) : null;
  }

  draw(lit: readonly string[]): void {
    const { game } = this, cells = [...game.board(game.current).cells], board = elementOf("board");
    const stones = cells.flatMap((color, cell) => color ? [drawStone(game, cell, color)] : []);
    const part = (name: string) => partOf<SVGElement>(board, `svg .${name}`);
    part("shadows").replaceChildren(...stones.map(({ shadow }) => shadow));
    part("stones").replaceChildren(...stones.map(({ stone }) => stone));
    const rings = drawLit(game, lit.map((vertex) => game.cellOf(vertex)).filter((cell) => cell >= 0), false);
    for (const ring of rings) ring.setAttribute("class", "lit");
    part("remarks").replaceChildren(...drawRemarks(game, false), ...rings);
    showTree(game);
  }

  turnWords(): string {
    return this.game.words.toMove[this.game.board(this.game.current).toMove - 1];
  }

  sayMove(): string {
    return this.game.sayMove();
  }

  listStones() {
    const { words } = this.game, [black, white] = this.game.listStones();
    return [[words.black, black], [words.white, white]] as const;
  }

  comment(): string {
    return this.game.nodes[this.game.textPlace()].c ?? "";
  }

  afterWords(): string {
    const row = this.game.review?.find(([node]) => node === this.game.current);
    if (!row) return "";
    const [, rate, lead, sign] = row, words = fillText(this.game.words.after, { share: percent(rate), lead: signed(lead) });
    return sign ? `${words} ${sign}` : words;
  }

  /** The point of a reviewed move. */
  private nameOf([node]: ReviewRow): string {
    const cell = this.game.cellOfMove(node);
    return cell < 0 ? this.game.words.pass : this.game.vertex(cell);
  }

  chart(words: SharedGoWords): ChartJson {
    const review = this.game.review ?? [], faults = this.lessons.map(({ number }) => [number, ""] as const);
    return {
      title: words.graphName, x: "", y: "", series: linesOf(review, words), bands: [{ name: "", low: 0.5, high: 0.5 }],
      game: { end: review.length, names: review.map((row) => this.nameOf(row)), faults, hint: words.graphHint },
    };
  }

  hear(goTo: (work: () => void) => void): void {
    onTreeGo((node) => goTo(() => this.goTo(node)));
  }

  variations(goTo: (work: () => void) => void) {
    return this.game.isInLine() ? null : <Variations game={this.game} onGo={(node) => goTo(() => this.goTo(node))} />;
  }
}

runSharedPage(new SharedGoGame(readJson<SharedGoJson>(elementOf("shared-game"))));
