import { itemAt } from "../../base/expect.ts";

const SLASH = 0x2f;
const ASCII = 128;

/** Inclusive range of code points. */
export type CodePointRange = readonly [number, number];

/**
 * Instruction of a state: `Character` to `InSegment` may consume a character; `Split`, `Jump` and `Match` do
 * not.
 */
const Op = {
  Character: 0,
  Any: 1,
  Class: 2,
  /** Loops on any character except a slash, or continues without consuming one. */
  Star: 3,
  /** Loops on any character, or continues without consuming one. */
  Anything: 4,
  /**
   * At the start of a segment: continues without consuming a character, or skips the segment (next state).
   */
  Segments: 5,
  /** Inside a segment skipped by `Segments`. */
  InSegment: 6,
  Split: 7,
  Jump: 8,
  Match: 9,
} as const;

const LEADS_ON = new Uint8Array(10);
for (const op of [Op.Star, Op.Anything, Op.Segments, Op.Split, Op.Jump]) LEADS_ON[op] = 1;

interface State {
  readonly op: number;
  /** Code point of `Character`, class of `Class`, target of `Split` and `Jump`. */
  arg: number;
}

interface CharacterClass {
  /** Sorted and disjoint. */
  readonly ranges: readonly CodePointRange[];
  readonly isNegated: boolean;
}

/** A nondeterministic automaton with its states in pattern order. */
export interface GlobProgram {
  readonly ops: Uint8Array;
  readonly args: Int32Array;
  readonly classes: readonly CharacterClass[];
  /** Whether all characters above ASCII are treated alike. */
  readonly isAscii: boolean;
}

/** Appends instructions from left to right. */
export class ProgramBuilder {
  readonly #states: State[] = [];
  readonly #classes: CharacterClass[] = [];
  /**
   * For each open brace: the split of its latest alternative, and the jumps at the end of the earlier ones.
   */
  readonly #open: { split: State; readonly jumps: State[] }[] = [];

  /** Number of open braces. */
  get depth(): number {
    return this.#open.length;
  }

  character(code: number): void {
    this.#add(Op.Character, code);
  }

  any(): void {
    this.#add(Op.Any);
  }

  star(): void {
    this.#add(Op.Star);
  }

  anything(): void {
    this.#add(Op.Anything);
  }

  /** Matches any number of whole segments, each with its trailing slash. */
  segments(): void {
    this.#add(Op.Segments);
    this.#add(Op.InSegment);
  }

  class(members: readonly CodePointRange[], isNegated: boolean): void {
    this.#add(Op.Class, this.#classes.length);
    this.#classes.push({ ranges: merged(members), isNegated });
  }

  open(): void {
    this.#open.push({ split: this.#add(Op.Split, this.#states.length + 1), jumps: [] });
  }

  alternative(): void {
    const brace = this.#open.at(-1);
    if (!brace) throw new Error("no brace is open");
    brace.jumps.push(this.#add(Op.Jump));
    brace.split.arg = this.#states.length;
    brace.split = this.#add(Op.Split, this.#states.length + 1);
  }

  close(): void {
    const brace = this.#open.pop();
    if (!brace) throw new Error("no brace is open");
    for (const jump of brace.jumps) jump.arg = this.#states.length;
  }

  end(): GlobProgram {
    this.#add(Op.Match);
    return {
      ops: Uint8Array.from(this.#states, ({ op }) => op),
      args: Int32Array.from(this.#states, ({ arg }) => arg),
      classes: this.#classes,
      isAscii:
        this.#states.every(({ op, arg }) => op !== Op.Character || arg < ASCII) &&
        this.#classes.every(({ ranges }) => ranges.every(([, high]) => high < ASCII)),
    };
  }

  #add(op: number, arg = 0): State {
    const state = { op, arg };
    this.#states.push(state);
    return state;
  }
}

function merged(members: readonly CodePointRange[]): CodePointRange[] {
  const out: [number, number][] = [];
  for (const [low, high] of [...members].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else out.push([low, high]);
  }
  return out;
}

/** Maximum size of a cached set of states; larger sets rarely recur. */
const MAX_SET_SIZE = 32;
/** Maximum number of rows; row numbers fit into a byte. */
const MAX_ROWS = 64;
/** Column of a character whose transitions are not cached. */
const UNCACHED = -1;
const STEPS_OF_ROW = 50;

const NOWHERE = -1;

/** A cached set of states, with the transition for each character. */
interface Row {
  /** Row number from 1. */
  readonly number: number;
  readonly states: Int32Array;
  readonly accepts: boolean;
  /**
   * Next row number for each ASCII character and, last, for all others; NOWHERE if no state is left, 0 if not
   * computed yet.
   */
  readonly next: Int8Array;
}

/** Cost of matching: visited states and cached rows. */
export interface ProgramWork {
  steps: number;
  /** Number of rows (300 bytes each) that may still be created; undefined if unlimited. */
  rowsLeft?: number;
}

/**
 * Matches whole paths. For each character, every reachable state is visited once, and the visits are counted.
 * Recurring sets of states are cached as rows of a table, so that most characters cost one lookup.
 */
export class GlobMatcher {
  readonly #program: GlobProgram;
  readonly #work: ProgramWork;
  readonly #rows: Row[] = [];
  readonly #byStates = new Map<string, Row>();

  constructor(program: GlobProgram, work: ProgramWork) {
    this.#program = program;
    this.#work = work;
  }

  matches(path: string): boolean {
    const { isAscii } = this.#program;
    const rows = this.#rows;
    const work = this.#work;
    let row = this.#begin();
    if (row === undefined) return this.#simulate(path, 0);
    for (let i = 0; i < path.length; i++) {
      const code = codeAt(path, i);
      if (code > 0xffff) i++;
      const column = code < ASCII ? code : isAscii ? ASCII : UNCACHED;
      const known: number | undefined = column === UNCACHED ? 0 : row.next[column];
      if (known === NOWHERE) return false;
      work.steps++;
      const to: Row | null | undefined = known ? rows[known - 1] : this.#follow(row, code, column);
      if (to === null) return false;
      if (to === undefined) return this.#simulate(path, i + 1);
      row = to;
    }
    return row.accepts;
  }

  /** Returns the start row. Undefined if it is not cached: its states are then in `current`. */
  #begin(): Row | undefined {
    const [first] = this.#rows;
    if (first) return first;
    enter(this.#program, current.prepared(this.#program.ops.length), 0);
    return this.#rowOf(current);
  }

  /**
   * Returns the next row after a character; null if no state is left. Undefined if it is not cached: its
   * states are then in `current`.
   */
  #follow(row: Row, code: number, column: number): Row | null | undefined {
    const from = next.prepared(this.#program.ops.length);
    for (const state of row.states) from.add(state);
    this.#advance(from, current.prepared(this.#program.ops.length), code);
    const to = current.size === 0 ? null : column === UNCACHED ? undefined : this.#rowOf(current);
    if (to !== undefined && column !== UNCACHED) row.next[column] = to?.number ?? NOWHERE;
    return to;
  }

  #rowOf(set: StateSet): Row | undefined {
    if (set.size > MAX_SET_SIZE) return undefined;
    const states = set.toArray();
    const key = states.join(",");
    const known = this.#byStates.get(key);
    if (known !== undefined) return known;
    const work = this.#work;
    if (this.#rows.length === MAX_ROWS || work.rowsLeft === 0) return undefined;
    if (work.rowsLeft !== undefined) work.rowsLeft--;
    work.steps += STEPS_OF_ROW;
    const row = {
      number: this.#rows.length + 1,
      states,
      accepts: set.has(this.#program.ops.length - 1),
      next: new Int8Array(ASCII + 1),
    };
    this.#rows.push(row);
    this.#byStates.set(key, row);
    return row;
  }

  /** Continues without the table, from the states in `current`. */
  #simulate(path: string, from: number): boolean {
    const states = this.#program.ops.length;
    let [now, then] = [current, next];
    for (let i = from; i < path.length; ) {
      const code = codeAt(path, i);
      i += code > 0xffff ? 2 : 1;
      this.#advance(now, then.prepared(states), code);
      if (then.size === 0) return false;
      [now, then] = [then, now];
    }
    return now.has(states - 1);
  }

  #advance(now: StateSet, then: StateSet, code: number): void {
    this.#work.steps += now.size;
    if (code === SLASH) passSlash(this.#program, now, then);
    else passCharacter(this.#program, now, then, code);
  }
}

function passSlash(program: GlobProgram, now: StateSet, then: StateSet): void {
  const { ops, args } = program;
  for (let i = 0; i < now.size; i++) {
    const state = now.at(i);
    const op = ops[state];
    if (op === Op.Character && args[state] === SLASH) enter(program, then, state + 1);
    else if (op === Op.Anything) enter(program, then, state);
    else if (op === Op.InSegment) enter(program, then, state - 1);
  }
}

function passCharacter(program: GlobProgram, now: StateSet, then: StateSet, code: number): void {
  const { ops, args } = program;
  for (let i = 0; i < now.size; i++) {
    const state = now.at(i);
    switch (ops[state]) {
      case Op.Character:
        if (args[state] === code) enter(program, then, state + 1);
        break;
      case Op.Class:
        if (isIn(classOf(program, state), code)) enter(program, then, state + 1);
        break;
      case Op.Any:
      case Op.Segments:
        enter(program, then, state + 1);
        break;
      case Op.Star:
      case Op.Anything:
      case Op.InSegment:
        enter(program, then, state);
        break;
    }
  }
}

/** Adds a state and all states reachable from it without consuming a character. */
function enter(program: GlobProgram, set: StateSet, from: number): void {
  if (!set.add(from) || !isOpen(program, from)) return;
  pending[0] = from;
  for (let left = 1; left > 0; ) {
    const state = pending[--left]!;
    const op = program.ops[state];
    const to = op === Op.Segments ? state + 2 : op === Op.Jump ? argOf(program, state) : state + 1;
    if (set.add(to) && isOpen(program, to)) pending[left++] = to;
    if (op !== Op.Split) continue;
    const other = argOf(program, state);
    if (set.add(other) && isOpen(program, other)) pending[left++] = other;
  }
}

const argOf = ({ args }: GlobProgram, state: number): number => args[state]!;

const classOf = (program: GlobProgram, state: number): CharacterClass =>
  itemAt(program.classes, argOf(program, state));

/** Whether a state continues without consuming a character. */
const isOpen = ({ ops }: GlobProgram, state: number): boolean => LEADS_ON[ops[state]!] === 1;

/** The code point at an offset within the text. */
const codeAt = (text: string, at: number): number => text.codePointAt(at)!;

function isIn({ ranges, isNegated }: CharacterClass, code: number): boolean {
  let from = 0;
  let to = ranges.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (itemAt(ranges, middle)[1] < code) from = middle + 1;
    else to = middle;
  }
  const found = ranges[from];
  return (found !== undefined && found[0] <= code) !== isNegated;
}

/** A set of small integers that can be cleared in constant time. */
class StateSet {
  size = 0;
  #dense = new Int32Array(64);
  #sparse = new Int32Array(64);

  prepared(states: number): this {
    if (this.#dense.length < states) {
      this.#dense = new Int32Array(2 * states);
      this.#sparse = new Int32Array(2 * states);
    }
    this.size = 0;
    return this;
  }

  has(state: number): boolean {
    const place = this.#sparse[state]!;
    return place < this.size && this.#dense[place] === state;
  }

  at(place: number): number {
    return this.#dense[place]!;
  }

  toArray(): Int32Array {
    return this.#dense.slice(0, this.size);
  }

  /** Returns false if the state was already present. */
  add(state: number): boolean {
    if (this.has(state)) return false;
    this.#sparse[state] = this.size;
    this.#dense[this.size++] = state;
    return true;
  }
}

// matching is synchronous, so all globs share these tables
const current = new StateSet();
const next = new StateSet();
/** Large enough: each state is pushed at most once, and a program of 1,024 characters has fewer states. */
const pending = new Int32Array(4096);
