// "Why" says at once that it works, for how long by now, and how long it usually takes here.
import "./htmx";
import { fill, forAll } from "./dom";
import { onLive } from "./events";
import type { RequestConfig } from "./htmx";
import { revealPane } from "./panes";
import type { WhyProgress } from "./server";
import { fillText, keep, percent, readKept, signed } from "./texts";

const KEPT = "ishi-seconds-of-why";
// Seconds, where it was never asked.
const FIRST_GUESS = 6;

const usualSeconds = () => Number(readKept("local", KEPT)) || FIRST_GUESS;

/** A question under way. */
interface Question {
  /** Under which the server tells of it. */
  readonly asker: string;
  begun: number;
  timer: ReturnType<typeof setInterval> | undefined;
  /** Nothing was heard yet. */
  progress: WhyProgress | null;
}

let question: Question = { asker: "", begun: 0, timer: undefined, progress: null };

const findPlace = () => document.getElementById("why");

/** The words of the page, in attributes of the place. */
type Words = Readonly<DOMStringMap>;

function nameLine(words: Words, line: readonly string[]): string {
  return line.length ? fillText(words.after ?? "", { line: line.join(" ") }) : words.here ?? "";
}

/** How long it takes. */
function Waiting({ words, seconds }: { words: Words; seconds: number }) {
  const usual = usualSeconds(), told = fillText(words.waiting ?? "", { seconds: seconds.toFixed(0), usual: usual.toFixed(0) });
  return (
    <>
      <p class="waiting">{told}</p>
      {seconds < usual ? <progress key="sure" max={usual} value={seconds} /> : <progress key="unsure" max={usual} />}
    </>
  );
}

/** How the move looks at first sight, what is proved, what it searches or waits for, and what it has found so far. */
function Progress({ words, seconds, progress }: { words: Words; seconds: number; progress: WhyProgress | null }) {
  const { known = [], found = [], now = null, waits = false } = progress ?? {}, reading = progress ? words.reading : "";
  const doing = waits ? words.queued : now ? fillText(words.now ?? "", { line: nameLine(words, now) }) : reading;
  return (
    <>
      <div class="known">{known.map((sentence, index) => <p key={index}>{sentence}</p>)}</div>
      <Waiting words={words} seconds={seconds} />
      <p class="now quiet">{doing}</p>
      <ul class="found">
        {found.map(({ line, win_rate, lead }, index) => (
          <li key={index}>{fillText(words.found ?? "", { line: nameLine(words, line), share: percent(win_rate), lead: signed(lead) })}</li>
        ))}
      </ul>
    </>
  );
}

function showWaiting(): void {
  const place = findPlace();
  if (!place) return clearInterval(question.timer);
  fill(place, <Progress words={place.dataset} seconds={(performance.now() - question.begun) / 1000} progress={question.progress} />);
}

onLive("why", (event) => {
  const { asker, progress } = JSON.parse(event.detail) as { asker: string; progress: WhyProgress };
  event.preventDefault();
  if (!asker || asker !== question.asker) return;
  question.progress = progress;
  if (findPlace()?.querySelector(".waiting")) showWaiting();
});

function isWhy({ path, parameters }: RequestConfig): boolean {
  // Rooms of other games ask "why" elsewhere.
  return /^\/go\/.*\/why$/.test(path) || /\/point$/.test(path) && parameters.tool === "ask";
}
document.addEventListener("htmx:configRequest", (event) => {
  if (!isWhy(event.detail)) return;
  clearInterval(question.timer);
  question = { asker: Math.random().toString(36).slice(2), begun: 0, timer: undefined, progress: null };
  event.detail.parameters.asker = question.asker;
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const place = findPlace();
  if (!place || !isWhy(event.detail.requestConfig)) return;
  revealPane(place);
  place.setAttribute("aria-busy", "true");
  clearInterval(question.timer);
  question.begun = performance.now();
  question.timer = setInterval(showWaiting, 500);
  showWaiting();
  place.scrollIntoView({ block: "nearest" });
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!isWhy(event.detail.requestConfig)) return;
  clearInterval(question.timer);
  const seconds = (performance.now() - question.begun) / 1000;
  question = { ...question, asker: "", progress: null };
  forAll("#why", (place) => {
    place.removeAttribute("aria-busy");
    // An error stands beside what was clicked.
    if (place.querySelector(".waiting")) return fill(place, null);
    keep("local", KEPT, ((usualSeconds() + seconds) / 2).toFixed(2));
    // The sheet of a phone showed where it waited: the answer takes more room.
    if (innerWidth <= 800) place.scrollIntoView({ block: "nearest" });
  });
});
