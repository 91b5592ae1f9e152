// The room of Othello beside its game: files for evaluations, clocks that run.
import "./htmx";
import { closestTo, forAll, partOf } from "./dom";
import { clockText } from "./texts";

// <input type="file" data-base64-into="#field">: the file's bytes go into that field.
document.addEventListener("change", (event) => {
  const input = closestTo<HTMLInputElement>(event.target, "input[type=file][data-base64-into]");
  const [file] = input?.files ?? [], field = input?.dataset.base64Into;
  if (!file || !field) return;
  const reader = new FileReader();
  reader.onload = () => {
    const address = String(reader.result);
    partOf<HTMLInputElement>(document, field).value = address.slice(address.indexOf(",") + 1);
  };
  reader.readAsDataURL(file);
});

// <span data-clock="MILLISECONDS"> runs; one with data-ask asks there when it has run out.
const begun = new WeakMap<Element, number>();
function runClock(clock: HTMLElement): void {
  const now = performance.now(), since = begun.get(clock) ?? now, { ask } = clock.dataset;
  begun.set(clock, since);
  const left = Number(clock.dataset.clock) - (now - since);
  clock.textContent = clockText(Math.max(0, Math.ceil(left / 1000)));
  if (left >= -200 || !ask) return;
  void htmx.ajax("POST", ask, { swap: "none" });
  delete clock.dataset.ask;
}
setInterval(() => forAll("[data-clock]", runClock), 250);
