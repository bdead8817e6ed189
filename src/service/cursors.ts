import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import type { Caller } from "../domain/caller.ts";
import { CURSOR_NONCE_BYTES, openCursor, sealCursor } from "../domain/cursor.ts";
import { invalidArgument } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";

const CURSOR_LIFE_HOURS = 24;
const HOUR_MS = 3600_000;

/** A list as requested by one caller: the binding of its cursors. */
export interface ListSubject {
  /** `ls`, `grep` */
  readonly operation: string;
  readonly caller: Caller;
  /** Incarnation of the listed workspace. */
  readonly incarnation: WorkspaceId;
  /**
   * Everything that determines the items of the list and their order. Page size and output format are
   * excluded: they may change between pages.
   */
  readonly args: readonly (string | number | boolean)[];
  /** How long a cursor can be used; missing: CURSOR_LIFE_HOURS. */
  readonly lifeHours?: number;
}

/** Makes and opens the cursors of all lists. They are stateless and survive a restart. */
export class Cursors {
  readonly #key: KeyObject;
  readonly #clock: Clock;

  /** `key`: of CURSOR_KEY_BYTES, secret. */
  constructor(key: Uint8Array, clock: Clock) {
    this.#key = createSecretKey(key);
    this.#clock = clock;
  }

  /** The cursor with which the list resumes at a place. */
  seal(subject: ListSubject, place: string): string {
    const content = { place, expires: this.#clock() + lifeOf(subject) * HOUR_MS };
    return sealCursor(this.#key, bindingOf(subject), randomBytes(CURSOR_NONCE_BYTES), content);
  }

  /**
   * The place where the list resumes; undefined without a cursor. INVALID_ARGUMENT {field cursor} for a
   * cursor that was changed, has expired, or belongs to another caller or list.
   */
  open(subject: ListSubject, cursor: string | undefined): string | undefined {
    if (cursor === undefined) return undefined;
    const content = openCursor(this.#key, bindingOf(subject), cursor);
    if (!content) throw invalidArgument("cursor", NOT_GIVEN_OUT);
    if (content.expires <= this.#clock()) throw invalidArgument("cursor", expired(lifeOf(subject)));
    return content.place;
  }
}

const START_AGAIN = "start the list again without a cursor";
const NOT_GIVEN_OUT =
  "it was not given to this caller for this list. Send the cursor of the answer before, unchanged and with the " +
  `same arguments, or ${START_AGAIN}`;
const expired = (hours: number) => `it is older than ${hours} hours: ${START_AGAIN}`;

const lifeOf = ({ lifeHours = CURSOR_LIFE_HOURS }: ListSubject): number => lifeHours;

/** The single definition of a cursor's binding. JSON keeps the parts separate. */
function bindingOf({ operation, caller, incarnation, args }: ListSubject): string {
  const { role, account, user, userIncarnation, agent } = caller;
  return JSON.stringify([operation, incarnation, account, user, userIncarnation, role, agent, args]);
}
