// A teaching game looks at a move before it is answered: what the move waits for, and for how long by now. The server renders <span class="look"> with the
// words for each state, and says which one it is by the event `look`.
import { forAll } from "./dom";
import { onLive } from "./events";
import { fillText } from "./texts";

const TICK = 500;

/** How far a look is: `looks`, `waits` or `answers`. */
interface ToldLook {
  /** The name of the look: what is told of another one is old. */
  readonly look: string;
  readonly state: string;
}

let told: ToldLook | null = null;
/** The look that is shown, and when it began. */
let shown = "", begun = 0;

function write(place: Element | null, text: string): void {
  if (place && place.textContent !== text) place.textContent = text;
}

function showLook(place: HTMLElement): void {
  const { look = "", seconds } = place.dataset, [words, time] = place.children;
  if (look !== shown) {
    shown = look;
    begun = performance.now() - 1000 * Number(seconds);
  }
  write(words, place.dataset[told?.look === look ? told.state : "looks"] ?? "");
  const passed = Math.floor((performance.now() - begun) / 1000);
  write(time, ` ${fillText((time as HTMLElement).dataset.unit ?? "", { seconds: passed })}`);
}

const showLooks = () => forAll(".look", showLook);
setInterval(showLooks, TICK);
document.addEventListener("htmx:afterSwap", showLooks);
onLive("look", (event) => {
  told = JSON.parse(event.detail) as ToldLook;
  showLooks();
});
