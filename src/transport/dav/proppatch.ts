import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { type PropertyChange, setProperties } from "../../service/filesystem/set-properties.ts";
import { statusOf } from "./dav-error.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { isProtected } from "./live-properties.ts";
import { hrefOf } from "./paths.ts";
import { checkPreconditions } from "./preconditions.ts";
import { element, isOf, propstat } from "./propfind.ts";
import { contentOf, type RequestElement } from "./xml-reader.ts";
import { DAV_NAMESPACE, escaped, xmlDocument } from "./xml-text.ts";

/** Maximum bytes of a property as XML; all properties of a node have a limit, too. */
const MAX_VALUE_BYTES = 8192;

/** PROPPATCH: stores and removes dead properties; either all changes are made, or none. */
export async function proppatch(exchange: DavExchange): Promise<DavAnswer> {
  const { path, context, call } = exchange;
  const body = await exchange.xml();
  const changes = changesOf(body);
  const { self } = await exchange.describe(path);
  await checkPreconditions(exchange, [{ path }]);
  const href = hrefOf(path, self.isDirectory);
  const refused = changes.filter(({ namespace }) => isProtected(namespace));
  const shown = (some: readonly PropertyChange[]) => some.map((one) => element(one, ""));
  const answer = (stats: string): DavAnswer => ({
    status: 207,
    body: xmlDocument("multistatus", `<D:response><D:href>${href}</D:href>${stats}</D:response>`),
  });
  if (refused.length > 0) {
    const others = changes.filter((one) => !refused.includes(one));
    const condition = "<D:error><D:cannot-modify-protected-property/></D:error>";
    return answer(
      propstat(shown(refused), 403, condition) + (others.length > 0 ? propstat(shown(others), 424) : ""),
    );
  }
  try {
    await setProperties(context.deps, call, { uri: exchange.uri(), changes });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "RESOURCE_EXHAUSTED") throw error;
    const status = statusOf(error);
    const told = `<D:responsedescription>${escaped(error.message)}</D:responsedescription>`;
    if (status !== 507) throw error;
    return answer(propstat(shown(changes), status, told));
  }
  return answer(propstat(shown(changes), 200));
}

function changesOf(body: RequestElement | undefined): PropertyChange[] {
  const is = (name: string) => isOf({ namespace: DAV_NAMESPACE, name });
  if (body === undefined || !is("propertyupdate")(body))
    throw invalidArgument("body", 'must be a propertyupdate element of the namespace "DAV:"');
  const changes = body.children.flatMap((action) => {
    const [isSet, isRemove] = [is("set")(action), is("remove")(action)];
    if (!isSet && !isRemove) return [];
    const properties = action.children.filter(is("prop")).flatMap(({ children }) => children);
    return properties.map((property) => ({
      namespace: property.namespace,
      name: property.name,
      value: isSet ? contentOf(property, MAX_VALUE_BYTES) : undefined,
      ...(property.language !== undefined && { language: property.language }),
    }));
  });
  if (changes.length === 0) throw invalidArgument("body", "must set or remove a property");
  return changes;
}
