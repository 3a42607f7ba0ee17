// What every actor plays, as the two texels per actor that the shaders read (ckShownBy). Nothing has to
// be done per frame: shaders find the moment from the time. Phases and times are kept in double here; the
// texels hold floats that count from a nearby `epoch`, so that a crowd plays for days without drifting.

/** What an actor does at the ends of a clip. */
export const LOOP_MODES = ['loop', 'once', 'ping-pong'];

// A float of seconds below this has steps of 4 microseconds.
const EPOCH_SECONDS = 64;
const RECORD_FLOATS = 8;
// An actor with a loop mode of its own has it in the number of its clip: shaders/export/actors.glsl.
const OWN_LOOP = 65536;

/** The cycles of a phase, reduced to what a loop mode can tell apart. */
function wrapped(cycles, loop) {
  if (loop === 1) return Math.min(Math.max(cycles, -4), 4);
  const period = loop === 2 ? 2 : 1;
  return cycles - period * Math.floor(cycles / period);
}

/** One clip on one actor: `phase` clip lengths at `since` seconds, then `rate` times as fast as authored. */
function part(clip, loop, phase, since, rate) {
  return { clip, loop, phase, since, rate };
}

export class ActorRecords {
  /** @param clips [{ seconds, loop }] of the set. @param capacity actors at most. */
  constructor(clips, capacity) {
    this.clips = clips;
    this.capacity = capacity;
    this.count = 0;
    this.epoch = 0;
    /** Two RGBA32F texels per actor, in rows of `width` texels. */
    this.width = Math.min(1024, 2 * Math.max(1, capacity));
    this.height = Math.ceil((2 * Math.max(1, capacity)) / this.width);
    this.texels = new Float32Array(4 * this.width * this.height);
    this.changed = true;
    this.playing = [];
  }

  /** The loop mode of a clip as a number: the wanted one, or the clip's own. */
  loopOf(clip, loop) {
    const found = LOOP_MODES.indexOf(loop ?? this.clips[clip].loop);
    if (found < 0) throw new RangeError(`There is no loop mode "${loop}"; modes: ${LOOP_MODES.join(', ')}`);
    return found;
  }

  /**
   * Lets an actor play a clip from `seconds` on. `offset` is in clip lengths: 0.5 starts in the middle.
   * With `fade` seconds it passes from what it plays now to the new clip.
   */
  play(actor, clip, { seconds = 0, offset = 0, rate = 1, loop, fade = 0 } = {}) {
    if (!(clip >= 0 && clip < this.clips.length)) throw new RangeError(`There is no clip ${clip}`);
    const next = part(clip, this.loopOf(clip, loop), offset, seconds, rate);
    const now = this.playing[actor];
    if (!now || !(fade > 0)) {
      this.playing[actor] = { first: next, second: null, fadeAt: 0, fadeSeconds: 0 };
    } else {
      // A fade during a fade goes on from the clip that has the larger share.
      const first = this.blendAt(actor, seconds) > 0.5 ? now.second : now.first;
      this.playing[actor] = { first, second: next, fadeAt: seconds, fadeSeconds: fade };
    }
    this.write(actor);
  }

  /** The share of the second clip. */
  blendAt(actor, seconds) {
    const { second, fadeAt, fadeSeconds } = this.playing[actor];
    return second ? Math.min(Math.max((seconds - fadeAt) / fadeSeconds, 0), 1) : 0;
  }

  /** Cycles of a part at a time. */
  phaseAt({ clip, phase, since, rate }, seconds) {
    const whole = this.clips[clip].seconds;
    return phase + (whole > 0 ? ((seconds - since) * rate) / whole : 0);
  }

  /** Changes how fast an actor plays, without a jump. */
  setRate(actor, rate, seconds) {
    const { first, second } = this.playing[actor];
    for (const played of second ? [first, second] : [first]) {
      played.phase = this.phaseAt(played, seconds);
      played.since = seconds;
      played.rate = rate;
    }
    this.write(actor);
  }

  /** Takes an actor's place by the last one. */
  remove(actor) {
    const last = --this.count;
    this.playing[actor] = this.playing[last];
    this.playing.length = last;
    if (actor < last) this.write(actor);
  }

  /** Adds an actor and returns its number. */
  add(clip, options) {
    if (this.count >= this.capacity) throw new RangeError(`The crowd is full: it was made for ${this.capacity} actors`);
    const actor = this.count++;
    this.playing[actor] = undefined;
    this.play(actor, clip, options);
    return actor;
  }

  /** Brings the texels to a time. Returns the seconds that the shaders count from, in single precision. */
  prepare(seconds) {
    const since = seconds - this.epoch;
    if (!(since >= 0 && since < EPOCH_SECONDS)) {
      this.epoch = seconds;
      for (let actor = 0; actor < this.count; ++actor) {
        const played = this.playing[actor];
        if (played.second && seconds > played.fadeAt + played.fadeSeconds) {
          played.first = played.second;
          played.second = null;
        }
        this.write(actor);
      }
    }
    return seconds - this.epoch;
  }

  write(actor) {
    const { first, second, fadeAt, fadeSeconds } = this.playing[actor];
    const at = actor * RECORD_FLOATS;
    const fields = (played) => [
      played.clip + OWN_LOOP * (1 + played.loop),
      wrapped(this.phaseAt(played, this.epoch), played.loop),
      played.rate,
    ];
    this.texels.set(fields(first), at);
    this.texels[at + 3] = second ? (this.epoch - fadeAt) / fadeSeconds : 0;
    this.texels.set(second ? fields(second) : [-1, 0, 0], at + 4);
    this.texels[at + 7] = second ? 1 / fadeSeconds : 0;
    this.changed = true;
  }
}
