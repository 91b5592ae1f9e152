// The table of the room of Go: tools that stay chosen, looks at it anew, clocks that run.
import "./htmx";
import { closestTo, fieldNamed, forAll } from "./dom";
import { fetchTable } from "./table";
import { clockText } from "./texts";

// The tool that was chosen stays chosen when the table is put in anew; so does what ishi is asked to show.
let chosenTool = "play", chosenLevel = "";
document.addEventListener("change", (event) => {
  const tool = fieldNamed(event, "tool"), level = fieldNamed(event, "level");
  if (tool) chosenTool = tool.value;
  if (level) chosenLevel = level.value;
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "table") return;
  const tool = document.querySelector<HTMLInputElement>(`[name=tool][value="${chosenTool}"]`);
  if (tool) tool.checked = true;
  const level = document.querySelector<HTMLSelectElement>("#level");
  if (!level || !chosenLevel || level.value === chosenLevel) return;
  level.value = chosenLevel;
  htmx.trigger(level, "change");
});

// The table is fetched after a change elsewhere, unless it is what stands here already. Who is writing is not disturbed: then it is fetched
// when the field is left.
let isTableOld = false;
function isWriting(): boolean {
  const field = document.activeElement;
  return field !== null && field.matches("#table textarea, #table input:not([type=radio]):not([type=checkbox])")
    && (field as HTMLInputElement).value !== (field as HTMLInputElement).defaultValue;
}
document.addEventListener("htmx:confirm", (event) => {
  if (!(event.target instanceof Element && event.target.matches("[data-unless-revision]"))) return;
  const { detail } = (event.detail.triggeringEvent ?? {}) as { detail?: { data?: string } };
  const told = detail?.data, known = document.querySelector<HTMLInputElement>("[name=revision]")?.value;
  if (told !== undefined && told === known) {
    event.preventDefault();
  } else if (isWriting()) {
    isTableOld = true;
    event.preventDefault();
  }
});
document.addEventListener("focusout", (event) => {
  const form = closestTo(event.target, "form");
  if (!isTableOld || !closestTo(event.target, "#table") || closestTo(event.relatedTarget, "form") === form && event.relatedTarget) return;
  isTableOld = false;
  fetchTable();
});

// Clocks run on between two looks at the table; one that runs out asks for the result.
const TICK = 0.5;
function runClock(clock: HTMLElement): void {
  const seconds = Math.max(0, Number(clock.dataset.seconds) - TICK);
  clock.dataset.seconds = String(seconds);
  clock.textContent = clockText(seconds);
  if (seconds > 0) return;
  delete clock.dataset.running;
  setTimeout(fetchTable, 700);
}
setInterval(() => forAll(".clock[data-running]", runClock), 1000 * TICK);
