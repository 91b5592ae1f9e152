// Small motions and quiet sounds. Who wants less motion has none; sounds wait for the first touch or key, as browsers ask, and can be turned off by
// <button data-sound>.
import { forAll, isHit } from "./dom";
import { keep, readKept } from "./texts";

const MOTION = 120;
const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
let lastMotion = -MOTION;

/** Is there time for a motion, now that something moves? Who steps quickly wants the next board at once. */
export function isCalm(): boolean {
  const now = performance.now(), calm = now - lastMotion > MOTION;
  lastMotion = now;
  return calm && !lessMotion.matches;
}

/** Fades elements away. */
export function fadeAway(elements: readonly Element[]): void {
  for (const element of elements) element.classList.add("taken");
  setTimeout(() => elements.forEach((element) => element.remove()), MOTION);
}

const KEY = "ishi-sounds";
let isOn = readKept("local", KEY) !== "off";
let sound: AudioContext | null = null;

function wake(): void {
  if (isOn) sound ??= new AudioContext();
}
for (const name of ["pointerdown", "keydown"]) addEventListener(name, wake, true);

// A short noise through a narrow band, as wood answers stone.
function click(context: AudioContext, when: number, pitch: number, loudness: number): void {
  const length = Math.floor(context.sampleRate * 0.05), buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < length; n += 1) samples[n] = (2 * Math.random() - 1) * Math.exp(-n / (0.008 * context.sampleRate));
  const source = context.createBufferSource(), band = context.createBiquadFilter(), gain = context.createGain();
  source.buffer = buffer;
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 1.4;
  gain.gain.value = loudness;
  source.connect(band).connect(gain).connect(context.destination);
  source.start(context.currentTime + when);
}

let lastClick = -MOTION;

/** The click of a stone, and the rattle of those that are taken. */
export function playStone(captured: number): void {
  const now = performance.now();
  if (!isOn || !sound || now - lastClick < MOTION) return;
  lastClick = now;
  click(sound, 0, 1700, 0.22);
  for (let n = 0; n < Math.min(captured, 3); n += 1) click(sound, 0.07 + 0.04 * n, 2600 + 300 * n, 0.09);
}

const showSwitch = () => forAll("[data-sound]", (button) => button.setAttribute("aria-pressed", String(isOn)));
addEventListener("DOMContentLoaded", showSwitch);
document.addEventListener("click", (event) => {
  if (!isHit(event.target, "[data-sound]")) return;
  isOn = !isOn;
  keep("local", KEY, isOn ? "on" : "off");
  wake();
  showSwitch();
});
