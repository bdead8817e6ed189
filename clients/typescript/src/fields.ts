import type { Message } from "@bufbuild/protobuf";

type Plain<F> = F extends Message ? Fields<F> : F extends (infer M extends Message)[] ? Fields<M>[] : F;
type FieldOf<T> = Exclude<keyof T, "$typeName" | "$unknown">;

/** The fields of a request as a plain object; fields in `Needed` have no default. */
export type Fields<T extends Message, Needed extends FieldOf<T> = never> = {
  readonly [K in Exclude<FieldOf<T>, Needed>]?: Plain<T[K]>;
} & { readonly [K in Needed]: Plain<NonNullable<T[K]>> };
