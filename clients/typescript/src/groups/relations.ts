import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
import {
  type LinkNodesRequest,
  type ListRelationsRequest,
  type Relation,
  RelationService,
  type UnlinkNodesRequest,
} from "../gen/ctxdb/v1/relation_pb.ts";
import type { CallOptions } from "../options.ts";
import { toValue } from "../values.ts";

/** The link to create: `toUri`, `toUris` or both. */
export type LinkRequest = Omit<Fields<LinkNodesRequest, "fromUri">, "toUris"> & {
  readonly toUris?: string | string[];
};

/** Directed links between URIs, with a reason. */
export class Relations {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async link({ toUris, ...request }: LinkRequest, options?: CallOptions): Promise<void> {
    await this.#caller.write(
      RelationService.method.linkNodes,
      { ...request, toUris: toValue(toUris) },
      options,
    );
  }

  /** Removes a link in one direction; not an error if there is none. */
  async unlink(
    request: Fields<UnlinkNodesRequest, "fromUri" | "toUri">,
    options?: CallOptions,
  ): Promise<void> {
    await this.#caller.write(RelationService.method.unlinkNodes, request, options);
  }

  /** Returns the relations of a URI, sorted by fromUri, then toUri. */
  async list(request: Fields<ListRelationsRequest, "uri">, options?: CallOptions): Promise<Relation[]> {
    return (await this.#caller.read(RelationService.method.listRelations, request, options)).message
      .relations;
  }
}
