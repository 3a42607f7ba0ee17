import * as THREE from 'three';

/** The behaviour of an actor at the ends of a clip. */
export type LoopMode = 'loop' | 'once' | 'ping-pong';

export interface CrowdClip {
  readonly name: string;
  /** As played at rate 1. */
  readonly seconds: number;
  readonly loop: LoopMode;
  readonly frames: number;
  /** Metres per second along +Z that feet suggest, or 0. */
  readonly groundSpeed: number;
  /** Box of all vertices over the clip, model space, metres. */
  readonly bounds: { low: [number, number, number]; high: [number, number, number] };
}

/** A mesh of the figure, as the GLB has it. */
export interface CrowdPart {
  readonly name: string;
  readonly geometry: THREE.BufferGeometry;
  readonly material: THREE.Material;
  /** The number of its mesh in the GLB. */
  readonly mesh: number;
}

/** An exported set, loaded once and shared by any number of crowds. */
export class CrowdSet {
  readonly name: string;
  readonly clips: readonly CrowdClip[];
  /** Box over all clips, model space. */
  readonly bounds: THREE.Box3;
  /** The largest distance of any vertex from the clips, in millimetres, for both readings. */
  readonly error: { paletteMm: number; directMm: number };
  /** One for each primitive of the GLB, in the order of Crowd.meshes. */
  readonly parts: readonly CrowdPart[];
  /** Pictures of far actors, where the export has them. */
  readonly impostors: {
    /** CrowdOptions.impostorPixels where nothing is said. */
    readonly usualPixels: number;
    /** Of an actor of scale 1 in any moment, metres. */
    readonly bodyHeight: number;
    /** How far off an impostor is in all. */
    readonly errorMeters: number;
  } | null;
  /** The number of a clip. Throws if there is none of that name. */
  clipIndex(clip: string | number): number;
  /** Frees textures and geometries. Dispose of all crowds first. */
  dispose(): void;
}

/**
 * Loads NAME.crowd.json and what lies beside it: the mesh, the texels and, where the export has impostors,
 * NAME.impostors.json with its two PNG.
 */
export function loadCrowdSet(url: string): Promise<CrowdSet>;

export type PlayAction = 'play' | 'pause' | 'reverse' | 'restart' | 'retrace';

export interface PlayOptions {
  /** Where in the clip it starts, in clip lengths: 0.5 is the middle. */
  offset?: number;
  /** Times as fast as authored; negative runs backwards, 0 stands still. */
  rate?: number;
  /** Instead of the clip's own. */
  loop?: LoopMode;
  /** Seconds to pass from what plays now to this clip. */
  fade?: number;
}

export interface ActorOptions extends Omit<PlayOptions, 'fade'> {
  clip?: string | number;
  position?: THREE.Vector3 | [number, number, number];
  rotation?: THREE.Quaternion | [number, number, number, number];
  /** Radians about the vertical, where there is no `rotation`. */
  yaw?: number;
  scale?: number | THREE.Vector3 | [number, number, number];
  /** Multiplied with the material's colour, where the material has a mask of tint only there. */
  color?: THREE.ColorRepresentation;
}

export interface CrowdOptions {
  /** Actors at most; 1,000 where nothing is said. Textures and buffers have room for so many. */
  capacity?: number;
  /** 'palette' (joints move relative to their parents) or 'direct' (no pass, larger error). */
  reading?: 'palette' | 'direct';
  castShadow?: boolean;
  receiveShadow?: boolean;
  /**
   * How high an actor is on the screen that is drawn as an impostor, at most, in pixels; 0: none. Where nothing is
   * said, as far as it is off by two pixels. Without effect where the set has no impostors.
   */
  impostorPixels?: number;
}

/** Actors of one set, drawn in one call per mesh. Add it to a scene. */
export class Crowd extends THREE.Group {
  constructor(set: CrowdSet, options?: CrowdOptions);
  readonly set: CrowdSet;
  readonly capacity: number;
  /** The number of actors. */
  readonly count: number;
  /** 'direct' where the machine cannot draw into textures of floats; known after update(). */
  readonly reading: 'palette' | 'direct';
  readonly meshes: readonly THREE.InstancedMesh[];
  /** The mesh that draws far actors, where the set has impostors. */
  readonly impostors: THREE.InstancedMesh | null;
  /** As in CrowdOptions; may be changed at any time. */
  impostorPixels: number;
  /** How many actors the last update() has had drawn as what. */
  readonly drawn: { meshes: number; impostors: number };
  /** Adds an actor and returns its id, which stays the same until it is removed. */
  addActor(actor?: ActorOptions): number;
  /** Changes only what is given. */
  setAt(id: number, actor: ActorOptions): void;
  /** Starts a clip, at once or by a fade. */
  play(id: number, clip: string | number, options?: PlayOptions): void;
  /**
   * From now on: goes on forwards, stands still, plays the other way round, begins again, or goes back to where it
   * began and stands still there. Fades go along.
   */
  command(id: number, action: PlayAction): void;
  removeActor(id: number): void;
  /** Lets a built-in material of three.js skin part `number`, and returns it. */
  patched<Own extends THREE.Material>(material: Own, part: CrowdPart, number: number): Own;
  /** A sphere that the actor never leaves, whatever it plays, in the crowd's space. */
  boundsOf(id: number, into?: THREE.Sphere): THREE.Sphere;
  /**
   * Once a frame, before the scene is drawn: poses all actors for a time in seconds of any clock. The crowd's
   * time begins with the first call. With the camera that draws, far actors are impostors, if the set has them.
   */
  update(renderer: THREE.WebGLRenderer, seconds: number, camera?: THREE.Camera): void;
  /** Frees what is this crowd's own; the set stays. */
  dispose(): void;
}
