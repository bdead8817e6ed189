import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import type { Caller } from "../domain/caller.ts";
import { CURSOR_NONCE_BYTES, openCursor, sealCursor } from "../domain/cursor.ts";
import { invalidArgument } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";

const CURSOR_LIFE_HOURS = 24;
const HOUR_MS = 3600_000;

/** A list requested by one caller, to which its cursors are bound. */
export interface ListSubject {
  /** Such as `ls` or `grep`. */
  readonly operation: string;
  readonly caller: Caller;
  /** Incarnation of the listed workspace. */
  readonly incarnation: WorkspaceId;
  /**
   * Everything that determines the items and their order. Page size and output format are excluded, because
   * they may change between pages.
   */
  readonly args: readonly (string | number | boolean)[];
  /** Lifetime of a cursor in hours; default: CURSOR_LIFE_HOURS. */
  readonly lifeHours?: number;
}

/** Creates and opens the cursors of all lists. They are stateless and survive a restart. */
export class Cursors {
  readonly #key: KeyObject;
  readonly #clock: Clock;

  /** `key`: secret, CURSOR_KEY_BYTES long. */
  constructor(key: Uint8Array, clock: Clock) {
    this.#key = createSecretKey(key);
    this.#clock = clock;
  }

  /** A cursor for resuming the list at a position. */
  seal(subject: ListSubject, place: string): string {
    const content = { place, expires: this.#clock() + lifeOf(subject) * HOUR_MS };
    return sealCursor(this.#key, bindingOf(subject), randomBytes(CURSOR_NONCE_BYTES), content);
  }

  /**
   * The position at which to resume; undefined without a cursor. Throws INVALID_ARGUMENT {field cursor} if
   * the cursor was changed, has expired, or belongs to another caller or list.
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
  "it was not returned to this caller for this list. Send the cursor of the previous response, unchanged and with the " +
  `same arguments, or ${START_AGAIN}`;
const expired = (hours: number) => `it is older than ${hours} hours: ${START_AGAIN}`;

const lifeOf = ({ lifeHours = CURSOR_LIFE_HOURS }: ListSubject): number => lifeHours;

/** Text to which a cursor is bound. JSON separates the parts unambiguously. */
function bindingOf({ operation, caller, incarnation, args }: ListSubject): string {
  const { role, account, user, userIncarnation, agent } = caller;
  return JSON.stringify([operation, incarnation, account, user, userIncarnation, role, agent, args]);
}
