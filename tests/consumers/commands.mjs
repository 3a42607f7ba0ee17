// The reaction of exported crowds to commands of actors (ActorRecords of players/core), by plain node: the texels
// that shaders read are evaluated as shaders/export/actors.glsl says, and compared with a walk through own time in
// small steps, which only knows whether an actor moves, which way, and whether it goes back.
import assert from 'node:assert/strict';
import { ActorRecords, LOOP_MODES } from '../../players/core/actors.js';

const CLIPS = [
  { seconds: 2, loop: 'loop' },
  { seconds: 1.3, loop: 'once' },
  { seconds: 0.9, loop: 'ping-pong' },
];
const ACTIONS = ['play', 'pause', 'reverse', 'restart', 'retrace'];
const STEP = 1 / 64; // sums of these are exact

function unitOf(cycles, loop) {
  if (loop === 'once') return Math.min(Math.max(cycles, 0), 1);
  const period = loop === 'loop' ? 1 : 2;
  const rest = cycles - period * Math.floor(cycles / period);
  return rest > 1 ? 2 - rest : rest;
}

/** The values that a shader reads of an actor, `seconds` after the records' epoch. */
function shown({ texels }, actor, seconds) {
  const at = (index) => texels[8 * actor + index];
  const unit = (from) => {
    const mode = Math.floor(at(from) / 65536) - 1;
    const { seconds: whole } = CLIPS[at(from) % 65536];
    return unitOf(at(from + 1) + (seconds * at(from + 2)) / whole, LOOP_MODES[mode]);
  };
  const blend = Math.min(Math.max(at(3) + at(7) * seconds, 0), 1);
  return at(4) < 0 ? { a: unit(0), b: 0, blend: 0 } : { a: unit(0), b: unit(4), blend };
}

/** An actor's own time, walked in steps. */
class Walk {
  own = 0;
  moves = true;
  forwards = true;
  returns = false;

  tell(action) {
    this.returns = action === 'retrace';
    this.moves = action !== 'pause';
    if (action === 'restart') this.own = 0;
    if (action === 'play' || action === 'restart') this.forwards = true;
    if (action === 'reverse') this.forwards = !this.forwards;
    if (this.returns) this.forwards = this.own < 0;
    this.arrive();
  }

  arrive() {
    if (!this.returns || this.own !== 0) return;
    this.returns = this.moves = false;
    this.forwards = true;
  }

  step() {
    if (!this.moves) return;
    this.own += this.forwards ? STEP : -STEP;
    this.arrive();
  }
}

assert.throws(() => {
  const records = new ActorRecords(CLIPS, 1);
  records.add(0, {});
  records.command(0, 'stop', 1);
}, /no action "stop"; actions: play, pause, reverse, restart, retrace/);

let seed = 20261122;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const oneOf = (list) => list[Math.floor(random() * list.length)];
const apart = (a, b) => Math.min(Math.abs(a - b), 1 - Math.abs(a - b));

let compared = 0;
for (let round = 0; round < 60; ++round) {
  const records = new ActorRecords(CLIPS, 3);
  const walk = new Walk();
  let seconds = 8 * Math.floor(random() * 16) * STEP;
  const first = round % 3;
  const second = (round + 1) % 3;
  records.prepare(0);
  records.add(2, { seconds });
  records.add(0, { seconds });
  records.add(first, { seconds, offset: 0.2, rate: 1.1 });
  let actor = 2;
  let fadeAt = NaN;
  for (let step = 0; step < 90 / STEP; ++step) {
    if (step === 64) {
      records.play(actor, second, { seconds, offset: 0.1, rate: 0.9, fade: 2 });
      fadeAt = walk.own;
      walk.tell('play');
    }
    // The actor moves to the number of one that is removed.
    if (step === 1000) {
      records.remove(0);
      actor = 0;
    }
    if (random() < 0.01) {
      const action = oneOf(ACTIONS);
      records.command(actor, action, seconds);
      walk.tell(action);
    }
    const { a, b, blend } = shown(records, actor, records.prepare(seconds));
    const where = `round ${round}, ${seconds} s, own time ${walk.own}`;
    assert.ok(apart(a, unitOf(0.2 + (walk.own * 1.1) / CLIPS[first].seconds, CLIPS[first].loop)) < 1e-4, where);
    if (!Number.isNaN(fadeAt)) {
      const own = walk.own - fadeAt;
      assert.ok(apart(b, unitOf(0.1 + (own * 0.9) / CLIPS[second].seconds, CLIPS[second].loop)) < 1e-4, where);
      assert.ok(Math.abs(blend - Math.min(Math.max(own / 2, 0), 1)) < 1e-4, where);
    }
    ++compared;
    seconds += STEP;
    walk.step();
  }
}

// Rates change on the way: the witness adds up cycles, begins again at the first ones, and goes back to them.
for (let round = 0; round < 60; ++round) {
  const records = new ActorRecords(CLIPS, 1);
  const { loop, seconds: whole } = CLIPS[round % 3];
  const begin = 0.3;
  let rate = 1;
  let cycles = begin;
  let [moves, way, returns] = [true, 1, false];
  records.add(round % 3, { offset: begin });
  const arrive = () => {
    if (returns && Math.abs(cycles - begin) < 1e-9) [cycles, moves, way, returns] = [begin, false, 1, false];
  };
  for (let step = 0; step < 30 / STEP; ++step) {
    const seconds = step * STEP;
    arrive();
    if (random() < 0.01) {
      rate = oneOf([0.5, 1, 2, 4]) * (round % 2 ? 1 : -1);
      records.setRate(0, rate, seconds);
      if (returns) way = Math.sign((begin - cycles) * rate);
    }
    if (random() < 0.01) {
      const action = oneOf(ACTIONS);
      records.command(0, action, seconds);
      returns = action === 'retrace';
      moves = action !== 'pause';
      if (action === 'restart') cycles = begin;
      if (action === 'play' || action === 'restart') way = 1;
      if (action === 'reverse') way = -way;
      if (returns) way = Math.sign((begin - cycles) * rate);
    }
    arrive();
    const { a } = shown(records, 0, records.prepare(seconds));
    const where = `rates, round ${round}, ${seconds} s, ${cycles} cycles: ${a}`;
    assert.ok(apart(a, unitOf(cycles, loop)) < 1e-4, where);
    ++compared;
    if (!moves) continue;
    const next = cycles + (way * rate * STEP) / whole;
    cycles = returns && (next - begin) * (cycles - begin) < 0 ? begin : next;
  }
}

// A fade at another rate goes back, too, and comes again.
for (const rate of [0.25, 1, 8, -3]) {
  const records = new ActorRecords(CLIPS, 1);
  records.add(0, { offset: 0.2 });
  records.play(0, 2, { seconds: 9, fade: 2 });
  records.setRate(0, rate, 10);
  const at = (seconds) => shown(records, 0, records.prepare(seconds));
  assert.ok(Math.abs(at(10).blend - 0.5) < 1e-4);
  records.command(0, 'retrace', 12);
  assert.ok(Math.abs(at(12).blend - 1) < 1e-4);
  assert.ok(apart(at(100).a, 0.2) < 1e-4);
  assert.equal(at(100).blend, 0);
  records.command(0, 'restart', 200);
  assert.ok(apart(at(200).a, 0.2) < 1e-4);
  assert.ok(Math.abs(at(210).blend - 0.5) < 1e-4);
  // One that stands still does so until it has a rate again.
  records.setRate(0, 0, 211);
  const still = at(211).a;
  records.command(0, 'retrace', 212);
  assert.ok(apart(at(300).a, still) < 1e-4);
  records.setRate(0, 1, 300);
  assert.ok(apart(at(400).a, 0.2) < 1e-4);
}
console.log(`${compared} moments of actors with commands agree`);
