// A reviewed game on its own: one file without a server, of Go or of Othello. The server has written the frame of the page, and the element
// #shared-game brings the game, its review and the words in every language, as JSON. Texts of records go into text nodes alone.
import type { ComponentChild, VNode } from "preact";
import { ChartDrawing } from "./chart";
import { closestTo, elementOf, fill, forAll, isHit } from "./dom";
import { disableSteps, leaveFocus, noteOpener } from "./focus";
import type { ChartJson, LanguageTag, SharedLesson, SharedWords, ToldText } from "./server";
import { fillText } from "./texts";
import { onSwipe } from "./turns";
import { onChartGo, setChartDrawing, showChartPlace, type ValueChart } from "./value_chart";
import { cutText, type FindWalk, type NameMove, type TextLine, type TextPiece, type Walk } from "./lines";
import { tieWalks, vertexToLight } from "./vertices";

// A page without a server has all of itself.
setChartDrawing(ChartDrawing);

/** What the page does with its game. Lines that are shown are walked through as the game is. */
export interface SharedGame<Words extends SharedWords = SharedWords> {
  readonly lessons: readonly SharedLesson[];
  readonly summary: readonly ToldText[];
  readonly languages: Readonly<Record<LanguageTag, Words>>;
  /** How its texts name points of the board. */
  readonly pointPattern: RegExp;
  /** Has it a review, which the chart shows? */
  readonly isReviewed: boolean;
  /** Its words come in this language from now on. */
  speak(words: Words): void;
  /** The place and all moves of the game, counted; of a line that is shown, too. */
  count(): { readonly at: number; readonly most: number; readonly line: { readonly at: number; readonly count: number } | null };
  canStep(by: -1 | 1): boolean;
  stepBy(steps: number): void;
  goToMove(number: number): void;
  goToEnd(): void;
  /** Goes to the place before the lesson's move. */
  goBefore(lesson: SharedLesson): void;
  isBefore(lesson: SharedLesson): boolean;
  /** Shows a line from the place before the lesson's move. */
  showLine(lesson: SharedLesson, kind: LineKind): void;
  /** How a line that a text names can be walked through; nothing if it cannot. The text is that of a lesson, or what the record says here. */
  walkOf(line: TextLine, lesson: SharedLesson | null): Walk | null;
  walkThrough(walk: Walk): void;
  leaveLine(): void;
  /** What is said of the way to the move of this number that a text tells, of the review or of the record; nothing if there is none. */
  nameMove(number: number, isOfReview: boolean): string | null;
  /** Goes to such a move. */
  goToTold(number: number, isOfReview: boolean): void;
  /** Goes to the next move that lost something, or to the one before (-1). False if there is none. */
  goToMistake(by: -1 | 1): boolean;
  /** Goes to this move if the game has it here. */
  choose(vertex: string): void;
  /** The name of a point of the board's picture, given in its units; nothing beside the board. */
  vertexAt(x: number, y: number): string | null;
  /** Draws the place, with these points lit. */
  draw(lit: readonly string[]): void;
  turnWords(): string;
  /** The move that leads to the place, and all stones or discs by their sides, for who does not see the board. */
  sayMove(): string;
  listStones(): readonly (readonly [side: string, points: readonly string[]])[];
  /** What the record says here. */
  comment(): string;
  /** What the review says of the move that was made last. */
  afterWords(): string;
  variations(goTo: (work: () => void) => void): ComponentChild;
  /** Hears where parts of the page lead that only this game has. */
  hear(goTo: (work: () => void) => void): void;
  /** The curves of the review in these words, with lessons at these moves. */
  chart(words: Words): ChartJson;
}
/** The better line, the refutation, or one that was tried, by its place. */
export type LineKind = "better" | "refutation" | number;

interface LessonState {
  verdict: { readonly kind: "ask" | "right" | "wrong" | "same"; readonly point: string } | null;
  isOpen: boolean;
  wasAsked: boolean;
}

/** Names of a line's first moves. */
function LineButton({ title, colon, moves, onShow }: { title: string; colon: string; moves: readonly string[]; onShow: () => void }) {
  const names = moves.slice(0, 4).map((move) => move.split(" ").at(-1)).join(" ");
  return <button type="button" onClick={onShow}>{title}{colon}{names}{moves.length > 4 ? " …" : ""}</button>;
}

/** Where a text leads: along its lines, and to moves that it tells by number. */
interface TextWays {
  readonly findWalk?: FindWalk;
  readonly onWalk?: (walk: Walk) => void;
  readonly nameMove: NameMove;
  readonly onMove: (number: number) => void;
}

interface LinkedTextProps {
  readonly text: string;
  readonly pattern: RegExp;
  readonly ways: TextWays;
}

/** What is asked of an element of a text. */
interface PartProps {
  readonly class?: string;
}

const isPoint = (piece: TextPiece, vertex: string): boolean => typeof piece !== "string" && "vertex" in piece && piece.vertex === vertex;

/** A text whose points light up, whose lines can be walked through, and whose numbers of moves lead there: a pointer, the keys and a finger come to them. */
function LinkedText({ text, pattern, ways: { findWalk, onWalk, nameMove, onMove } }: LinkedTextProps) {
  const pieces = cutText(text, pattern);
  const link = (piece: TextPiece, index: number): string | VNode<PartProps> => {
    if (typeof piece === "string") return piece;
    if ("vertex" in piece) {
      const isNamed = pieces.findIndex((other) => isPoint(other, piece.vertex)) < index;
      return <button key={index} type="button" class="vertex" data-vertex={piece.vertex} tabIndex={isNamed ? -1 : 0}>{piece.vertex}</button>;
    }
    if ("number" in piece) {
      const { number } = piece, name = nameMove(number);
      return name === null ? String(number) : <button key={index} type="button" class="move-link" title={name} onClick={() => onMove(number)}>{number}</button>;
    }
    const walk = findWalk?.(piece);
    return walk ? <button key={index} type="button" class="walk-line" title={walk.label} aria-label={walk.label} onClick={() => onWalk?.(walk)} /> : "";
  };
  const tie = (together: ComponentChild, walk: VNode<PartProps>) => <span key={walk.key} class="tied">{together}</span>;
  return <>{tieWalks(pieces.map(link), ({ props }) => props.class === "walk-line", tie)}</>;
}

interface LessonProps {
  readonly lesson: SharedLesson;
  readonly state: LessonState;
  readonly words: SharedWords;
  readonly language: LanguageTag;
  readonly pattern: RegExp;
  readonly onAsk: () => void;
  readonly onAnswer: (vertex: string) => void;
  readonly onShow: (kind: LineKind) => void;
  readonly ways: TextWays;
}

/** Who has no pointer writes the answer. */
function AnswerForm({ state, words, onAnswer }: Pick<LessonProps, "state" | "words" | "onAnswer">) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements[0] as HTMLInputElement;
    onAnswer(field.value.trim());
  };
  return <form hidden={!state.wasAsked} onSubmit={submit}><input size={4} autocomplete="off" aria-label={words.answer} /><button>OK</button></form>;
}

function Lesson({ lesson, state, words, language, pattern, onAsk, onAnswer, onShow, ways }: LessonProps) {
  const { verdict } = state, { better, refutation, played, tried = [] } = lesson;
  const toggle = (event: Event) => { state.isOpen = (event.currentTarget as HTMLDetailsElement).open; };
  return (
    <section class="lesson">
      <h3><LinkedText text={lesson.title[language]} pattern={pattern} ways={ways} /></h3>
      <p><LinkedText text={lesson.question[language]} pattern={pattern} ways={ways} /></p>
      <p><button type="button" class="main" onClick={onAsk}>{words.attempt}</button></p>
      <AnswerForm state={state} words={words} onAnswer={onAnswer} />
      <p class="verdict" role="status">{verdict && fillText(words[verdict.kind], { point: verdict.point })}</p>
      <details open={state.isOpen} onToggle={toggle}>
        <summary>{words.answer}</summary>
        <p class="told"><LinkedText text={lesson.answer[language]} pattern={pattern} ways={ways} /></p>
        <p>
          {better.length > 0 && <LineButton title={words.betterLine} colon={words.colon} moves={better} onShow={() => onShow("better")} />}
          {refutation.length > 0 && <LineButton title={words.refutation} colon={words.colon} moves={[played, ...refutation]} onShow={() => onShow("refutation")} />}
        </p>
        {tried.length > 0 && <h4>{words.tried}</h4>}
        {tried.map(({ title, moves }, place) => <p key={place}><LineButton title={title[language]} colon={words.colon} moves={moves} onShow={() => onShow(place)} /></p>)}
      </details>
    </section>
  );
}

/** Shows the game in the page, and listens to who reads it. */
export function runSharedPage<Words extends SharedWords>(game: SharedGame<Words>): void {
  const languages = Object.keys(game.languages);
  let language: LanguageTag = languages.includes(document.documentElement.lang) ? document.documentElement.lang : "en";
  const nextLanguage = () => languages[(languages.indexOf(language) + 1) % languages.length];
  let asked: SharedLesson | null = null, lit: readonly string[] = [];
  const states = new Map<SharedLesson, LessonState>(game.lessons.map((lesson) => [lesson, { verdict: null, isOpen: false, wasAsked: false }]));
  const stateOf = (lesson: SharedLesson) => states.get(lesson) as LessonState;
  const words = () => game.languages[language];
  const board = elementOf("board");

  // --- what is shown ---

  function showLeave(isShown: boolean): void {
    const leave = elementOf("leave");
    if (!isShown && !leave.hidden) leaveFocus(leave);
    leave.hidden = !isShown;
  }
  /** Where a text of the review or of the record leads, with lines that go on from this lesson, or from the place. */
  function waysOf(isOfReview: boolean, lesson: SharedLesson | null): TextWays {
    return {
      findWalk: (line) => game.walkOf(line, lesson), onWalk: walkThrough,
      nameMove: (number) => game.nameMove(number, isOfReview), onMove: (number) => move(() => game.goToTold(number, isOfReview)),
    };
  }
  function showPlace(): void {
    const { at, most, line } = game.count(), number = elementOf<HTMLInputElement>("move-number"), comment = elementOf("comment");
    number.value = String(at);
    number.max = String(most);
    elementOf("move-count").textContent = String(most);
    elementOf("turn").textContent = line ? fillText(words().line, line) : game.turnWords();
    showLeave(line !== null);
    elementOf("said").textContent = game.sayMove();
    elementOf("board-text").textContent = game.listStones().map(([side, points]) => `${side}: ${points.join(" ")}`).join("; ");
    const text = game.comment();
    fill(comment, <LinkedText key={text} text={text} pattern={game.pointPattern} ways={waysOf(false, null)} />);
    comment.hidden = !text;
    elementOf("after").textContent = game.afterWords();
    disableSteps((by) => game.canStep(by));
    fill(elementOf("variations"), game.variations(move));
    showChartPlace(at);
  }
  function showLessons(): void {
    fill(elementOf("lessons"), game.lessons.map((lesson) => (
      <Lesson key={lesson.number} lesson={lesson} state={stateOf(lesson)} words={words()} language={language} pattern={game.pointPattern} onAsk={() => ask(lesson)}
        onAnswer={(vertex) => answer(lesson, vertex)} onShow={(kind) => showLine(lesson, kind)} ways={waysOf(true, lesson)} />
    )));
  }
  function show(): void {
    game.draw(lit);
    showPlace();
    showLessons();
  }
  function showTexts(): void {
    document.documentElement.lang = language;
    elementOf("language").textContent = game.languages[nextLanguage()].name;
    game.speak(words());
    const text = (name: string | undefined) => words()[name as keyof SharedWords] ?? "";
    forAll("[data-word]", (place) => { place.textContent = text(place.dataset.word); });
    forAll("[data-label]", (place) => place.setAttribute("aria-label", text(place.dataset.label)));
    const { findWalk, onWalk, ...ways } = waysOf(true, null);
    fill(elementOf("summary"), game.summary.map((sentence, index) => <p key={index}><LinkedText text={sentence[language]} pattern={game.pointPattern} ways={ways} /></p>));
    if (game.isReviewed) elementOf<ValueChart>("graph").show(game.chart(words()));
    show();
  }

  // --- lessons ---

  function ask(lesson: SharedLesson): void {
    game.goBefore(lesson);
    asked = lesson;
    lit = [lesson.played];
    Object.assign(stateOf(lesson), { verdict: { kind: "ask", point: "" }, isOpen: false, wasAsked: true });
    show();
    board.scrollIntoView({ block: "nearest" });
  }
  function answer(lesson: SharedLesson, vertex: string): void {
    if (asked === lesson && game.isBefore(lesson)) judge(lesson, vertex);
  }
  function judge(lesson: SharedLesson, vertex: string): void {
    const point = [...lesson.answers, lesson.played].find((known) => known.toLowerCase() === vertex.toLowerCase()) ?? vertex;
    const isRight = lesson.answers.includes(point), state = stateOf(lesson);
    state.verdict = { kind: isRight ? "right" : point === lesson.played ? "same" : "wrong", point };
    if (isRight) {
      asked = null;
      state.isOpen = true;
      if (lesson.better.length) game.showLine(lesson, "better");
      noteOpener();
      lit = [];
    }
    show();
  }
  function showLine(lesson: SharedLesson, kind: LineKind): void {
    noteOpener();
    move(() => game.showLine(lesson, kind));
  }
  function walkThrough(walk: Walk): void {
    noteOpener();
    move(() => game.walkThrough(walk));
  }

  // --- steps ---

  function move(work: () => void): void {
    lit = [];
    work();
    show();
  }
  /** If no other move lost much, that is said. */
  function goToMistake(by: -1 | 1): void {
    let isFound = false;
    move(() => { isFound = game.goToMistake(by); });
    elementOf("no-mistake").textContent = isFound ? "" : by > 0 ? words().noLaterMistake : words().noEarlierMistake;
  }
  function step(by: string): void {
    move(() => by === "first" ? game.goToMove(0) : by === "last" ? game.goToEnd() : game.stepBy(Number(by)));
  }
  document.addEventListener("click", (event) => {
    const { step: by, mistake } = closestTo(event.target, "[data-step], [data-mistake]")?.dataset ?? {};
    if (by) step(by);
    else if (mistake) goToMistake(mistake === "1" ? 1 : -1);
  });
  elementOf("leave").addEventListener("click", () => move(() => game.leaveLine()));
  elementOf<HTMLInputElement>("move-number").addEventListener("change", (event) => move(() => game.goToMove(Number((event.target as HTMLInputElement).value))));
  elementOf("language").addEventListener("click", () => {
    language = nextLanguage();
    showTexts();
  });
  const isWriting = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey || isHit(event.target, "input");
  addEventListener("keydown", (event) => {
    const by = { ArrowLeft: "-1", ArrowRight: "1", Home: "first", End: "last", PageUp: "-10", PageDown: "10" }[event.key];
    if (by === undefined || event.defaultPrevented || isWriting(event)) return;
    event.preventDefault();
    step(by);
  });
  // Buttons that have a key, and the list of keys.
  addEventListener("keydown", (event) => {
    const pressed = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(event.key)}"]`);
    if (!pressed?.checkVisibility() || isWriting(event)) return;
    event.preventDefault();
    pressed.click();
  });
  onChartGo((number) => move(() => game.goToMove(number)));
  // A click on the board is an answer, or goes to a move that is there.
  board.addEventListener("click", (event) => {
    const { a, e, f } = board.querySelector("svg")?.getScreenCTM() ?? new DOMMatrix(), vertex = game.vertexAt((event.clientX - e) / a, (event.clientY - f) / a);
    if (!vertex) return;
    if (asked && game.isBefore(asked)) judge(asked, vertex);
    else move(() => game.choose(vertex));
  });
  // What a text names is lit as long as something is at it, then what was lit before.
  let isNamed = false;
  function lightNamed(event: Event): void {
    const vertex = vertexToLight(event);
    if (vertex || isNamed) game.draw(vertex ? [vertex] : lit);
    isNamed = vertex !== undefined;
  }
  for (const name of ["mouseover", "focusin", "click"]) document.addEventListener(name, lightNamed);
  onSwipe(board, (by) => move(() => game.stepBy(by)));
  game.hear(move);
  showTexts();
}
