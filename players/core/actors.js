// The clips that every actor plays, as the two texels per actor that the shaders read (ckShownBy). Nothing has to be
// done per frame: shaders find the moment from the time. Phases and times are kept in double here; the texels hold
// floats that count from a nearby `epoch`, so that a crowd plays for days without drifting.

/** The behaviour of an actor at the ends of a clip. */
export const LOOP_MODES = ['loop', 'once', 'ping-pong'];

/** The commands of an actor: go on forwards, stand still, reverse, begin again, go back to the start. */
export const PLAY_ACTIONS = ['play', 'pause', 'reverse', 'restart', 'retrace'];

// A float of seconds below this has steps of 4 microseconds.
const EPOCH_SECONDS = 64;
const RECORD_FLOATS = 8;
// An actor with a loop mode of its own has it in the number of its clip: shaders/export/actors.glsl.
const OWN_LOOP = 65536;

/** The cycles of a phase, reduced to what a loop mode can tell apart. `most` cycles pass before it is reduced again. */
function wrapped(cycles, loop, most) {
  if (loop === 1) return Math.min(Math.max(cycles, -4 - most), 4 + most);
  const period = loop === 2 ? 2 : 1;
  return cycles - period * Math.floor(cycles / period);
}

/**
 * One clip on one actor: `phase` clip lengths at `since` seconds of the actor's own time, then `rate` times as fast as
 * authored. `begin` is that line as it was first, to which the actor comes back where it begins again.
 */
function part(clip, loop, phase, since, rate) {
  return { clip, loop, phase, since, rate, begin: { phase, since } };
}

/**
 * An actor's own time, which is 0 where it was let play: `own` seconds at `since` of the crowd's, then `pace` (1, 0, -1)
 * times as fast, until it has come back to 0 at `until`. `paced` is the pace before a pause. Clips and fade are functions
 * of own time.
 */
function ownTime(since, own, pace, paced = pace) {
  return { since, own, pace, paced, until: Infinity };
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
    this.returning = new Set();
  }

  /** An actor's own time at a time of the crowd, which is not before its last command. */
  ownAt(actor, seconds) {
    const { since, own, pace, until } = this.playing[actor].time;
    return seconds >= until ? 0 : own + (seconds - since) * pace;
  }

  /**
   * Tells an actor one of PLAY_ACTIONS at a time of the crowd. A fade is held, turned round and begun again with the
   * clips.
   */
  command(actor, action, seconds) {
    if (!PLAY_ACTIONS.includes(action)) {
      throw new RangeError(`There is no action "${action}"; actions: ${PLAY_ACTIONS.join(', ')}`);
    }
    this.arrive(actor, seconds);
    const played = this.playing[actor];
    if (action === 'restart') this.begin(actor);
    if (action === 'retrace') this.scaleBack(actor, seconds);
    const own = this.ownAt(actor, seconds);
    const { paced } = played.time;
    if (action === 'play') played.time = ownTime(seconds, own, 1);
    if (action === 'pause') played.time = ownTime(seconds, own, 0, paced);
    if (action === 'reverse') played.time = ownTime(seconds, own, -paced);
    if (action === 'restart') played.time = ownTime(seconds, 0, 1);
    if (action === 'retrace') {
      played.time = ownTime(seconds, own, own > 0 ? -1 : 1);
      const stands = played.changed && played.first.rate === 0;
      played.time.until = stands ? Infinity : seconds + Math.abs(own);
    }
    this.returning[action === 'retrace' ? 'add' : 'delete'](actor);
    this.write(actor);
  }

  /** Ends the way back of an actor that has come to where it began. */
  arrive(actor, seconds) {
    const { until } = this.playing[actor].time;
    if (seconds < until) return false;
    this.playing[actor].time = ownTime(until, 0, 0, 1);
    this.begin(actor);
    this.returning.delete(actor);
    return true;
  }

  /** Clips and fade as they were first, at the rate of now: what an actor shows from its own time 0 on. */
  begin(actor) {
    const played = this.playing[actor];
    for (const each of played.second ? [played.first, played.second] : [played.first]) Object.assign(each, each.begin);
    Object.assign(played, played.begin);
    played.changed = false;
  }

  /**
   * Counts own time, and with it the fade, as if the actor had come here at the rate of now, so that its first clip is
   * at its beginning where own time is 0. An actor that does not move never gets there.
   */
  scaleBack(actor, seconds) {
    const played = this.playing[actor];
    const { first, second } = played;
    const own = this.ownAt(actor, seconds);
    if (!played.changed || own === 0 || first.rate === 0) return;
    const cycles = this.phaseAt(first, own) - first.begin.phase;
    const now = (cycles * this.clips[first.clip].seconds) / first.rate + first.begin.since;
    const scale = now / own;
    if (scale === 0 || !Number.isFinite(scale)) return;
    for (const each of second ? [first, second] : [first]) {
      each.phase = this.phaseAt(each, own);
      each.since = now;
    }
    played.fadeAt *= scale;
    played.fadeSeconds *= scale;
    played.time = ownTime(seconds, now, played.time.pace, played.time.paced);
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
    const next = part(clip, this.loopOf(clip, loop), offset, 0, rate);
    const now = this.playing[actor];
    if (now) this.arrive(actor, seconds);
    if (!now || !(fade > 0)) {
      this.playing[actor] = { first: next, second: null, fadeAt: 0, fadeSeconds: 0, time: ownTime(seconds, 0, 1) };
    } else {
      // A fade during a fade goes on from the clip that has the larger share, and forwards.
      const first = this.blendAt(actor, seconds) > 0.5 ? now.second : now.first;
      const own = this.ownAt(actor, seconds);
      next.since = next.begin.since = own;
      if (first === now.second) first.begin = { phase: this.phaseAt(first, 0), since: 0 };
      const time = now.time.pace === 1 && now.time.until === Infinity ? now.time : ownTime(seconds, own, 1);
      this.playing[actor] = { first, second: next, fadeAt: own, fadeSeconds: fade, time };
    }
    const { fadeAt, fadeSeconds } = this.playing[actor];
    this.playing[actor].begin = { fadeAt, fadeSeconds };
    this.playing[actor].changed = now !== undefined && fade > 0 && now.changed;
    this.returning.delete(actor);
    this.write(actor);
  }

  /** The share of the second clip. */
  blendAt(actor, seconds) {
    const { second, fadeAt, fadeSeconds } = this.playing[actor];
    return second ? Math.min(Math.max((this.ownAt(actor, seconds) - fadeAt) / fadeSeconds, 0), 1) : 0;
  }

  /** Cycles of a part at a moment of its actor's own time. */
  phaseAt({ clip, phase, since, rate }, own) {
    const whole = this.clips[clip].seconds;
    return phase + (whole > 0 ? ((own - since) * rate) / whole : 0);
  }

  /** Changes how fast an actor plays, without a jump. One that goes back goes on to where it began. */
  setRate(actor, rate, seconds) {
    this.arrive(actor, seconds);
    const { first, second } = this.playing[actor];
    const own = this.ownAt(actor, seconds);
    for (const played of second ? [first, second] : [first]) {
      played.phase = this.phaseAt(played, own);
      played.since = own;
      played.rate = rate;
    }
    this.playing[actor].changed = true;
    if (this.returning.has(actor)) this.command(actor, 'retrace', seconds);
    this.write(actor);
  }

  /** Takes an actor's place by the last one. */
  remove(actor) {
    const last = --this.count;
    this.playing[actor] = this.playing[last];
    this.playing.length = last;
    this.returning.delete(actor);
    if (this.returning.delete(last) && actor < last) this.returning.add(actor);
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
    for (const actor of this.returning) {
      if (this.arrive(actor, seconds)) this.write(actor);
    }
    const since = seconds - this.epoch;
    if (!(since >= 0 && since < EPOCH_SECONDS)) {
      this.epoch = seconds;
      for (let actor = 0; actor < this.count; ++actor) this.write(actor);
    }
    return seconds - this.epoch;
  }

  write(actor) {
    const { first, second, fadeAt, fadeSeconds, time } = this.playing[actor];
    const at = actor * RECORD_FLOATS;
    // Own time as it would have been at the epoch: the shader goes on from there.
    const own = time.own + (this.epoch - time.since) * time.pace;
    const fields = (played) => {
      const whole = this.clips[played.clip].seconds;
      const most = whole > 0 ? (EPOCH_SECONDS * Math.abs(played.rate)) / whole : 0;
      return [
        played.clip + OWN_LOOP * (1 + played.loop),
        wrapped(this.phaseAt(played, own), played.loop, most),
        played.rate * time.pace,
      ];
    };
    this.texels.set(fields(first), at);
    this.texels[at + 3] = second ? (own - fadeAt) / fadeSeconds : 0;
    this.texels.set(second ? fields(second) : [-1, 0, 0], at + 4);
    this.texels[at + 7] = second ? time.pace / fadeSeconds : 0;
    this.changed = true;
  }
}
