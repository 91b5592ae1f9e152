// Small motions and quiet sounds. Who wants less motion has none; sounds wait for the first touch or key, as browsers ask, and can be turned off by
// <button data-sound>.
"use strict";
const MOTION = 120;
const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
let lastMotion = -MOTION;

// Is there time for a motion, now that something moves? Who steps quickly wants the next board at once.
function isCalm() {
  const now = performance.now(), calm = now - lastMotion > MOTION;
  lastMotion = now;
  return calm && !lessMotion.matches;
}

// Fades elements away.
function fadeAway(elements) {
  for (const element of elements) element.classList.add("taken");
  setTimeout(() => elements.forEach((element) => element.remove()), MOTION);
}

// playStone(captured): the click of a stone, and the rattle of those that are taken.
let playStone = () => {};
{
  const KEY = "ishi-sounds";
  let context = null, isOn = true;
  try {
    isOn = localStorage.getItem(KEY) !== "off";
  } catch { /* a browser that keeps nothing */ }

  const wake = () => {
    if (!isOn || context) return;
    context = new AudioContext();
  };
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, wake, true);

  // A short noise through a narrow band, as wood answers stone.
  const click = (when, pitch, loudness) => {
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
  };
  let lastClick = -MOTION;
  playStone = (captured) => {
    const now = performance.now();
    if (!isOn || !context || now - lastClick < MOTION) return;
    lastClick = now;
    click(0, 1700, 0.22);
    for (let n = 0; n < Math.min(captured, 3); n += 1) click(0.07 + 0.04 * n, 2600 + 300 * n, 0.09);
  };

  const showSwitch = () => {
    for (const button of document.querySelectorAll("[data-sound]")) button.setAttribute("aria-pressed", isOn);
  };
  addEventListener("DOMContentLoaded", showSwitch);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-sound]")) return;
    isOn = !isOn;
    try {
      localStorage.setItem(KEY, isOn ? "on" : "off");
    } catch { /* a browser that keeps nothing */ }
    wake();
    showSwitch();
  });
}
