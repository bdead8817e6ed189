import { entity } from "../../predicates.ts";
import type { Statement } from "../../rule.ts";

/** Roles of people, which a name follows as it follows a relation: "my supervisor Ms Lund". */
const ROLE =
  "(?:(?:new|old|former|personal|thesis|phd|line|sales|piano|guitar|swim|maths?|english|driving|german|french|music|dance|yoga|football|team|project|product|account|site|shift|store|head) )?(?:supervisor|advis[eo]r|professor|tutor|coach|trainer|teacher|mentor|therapist|counsellor|counselor|psychiatrist|psychologist|accountant|lawyer|solicitor|plumber|electrician|builder|cleaner|nanny|babysitter|childminder|carer|assistant|secretary|intern|apprentice|trainee|lodger|tenant|lab partner|study partner|dance partner|(?:room|flat|house|band|team|class|work|school|soul)-?mate|roomate|roomie|co-?worker|co-?founder|co-?author|business partner|client|customer|vet|gardener|mechanic|pastor|priest|vicar|imam|rabbi|surgeon|midwife|optician|chiropractor|osteopath|cardiologist|dermatologist|oncologist|orthodontist|neurologist|hairdresser|barber|editor|agent|publisher|director|principal|head ?teacher|headmaster|captain|manager|boss|landlord|landlady|designer|architect|contractor|caretaker|ex)";
const KIN =
  "(?:(?:older|younger|little|big|twin|eldest|youngest|late|half|step|foster|great)[ -])?(?:mum|mom|mother|dad|father|brother|sister|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|gran|nan|granny|grandma|grandad|grandmother|grandfather|uncle|aunt|auntie|cousin|niece|nephew|neighbou?r|colleague|dentist|doctor|gp|physio|(?:mother|father|brother|sister|son|daughter)-in-law|godson|goddaughter|grandson|granddaughter|stepson|stepdaughter|ex-(?:husband|wife|boyfriend|girlfriend|partner|boss)|dog|cat|horse|rabbit)";
const NAME = "(?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )?\\p{Lu}[\\p{Ll}'’-]+(?: \\p{Lu}[\\p{Ll}'’-]+)?";

/** "my supervisor Ms Lund": a role before a name. */
const ROLE_NAMED = new RegExp(
  `(?<!\\p{L})(?:[Mm]y|[Oo]ur) (${ROLE}|ex-(?:husband|wife|boyfriend|girlfriend|partner|boss)),? (${NAME})(?![\\p{L}'’])`,
  "gu",
);
/** "Ms Lund, my supervisor, …": a name before the relation or role of its bearer. */
const NAMED_ROLE = new RegExp(
  `(?<!\\p{L}|(?:hi|hey|hello|dear|thanks|Hi|Hey|Hello|Dear|Thanks),? )(${NAME}),? (?:who is |who['’]s )?(?:my|our) (${ROLE}|${KIN})(?=[,.;!?)]|$)`,
  "gu",
);
/** Capitalized words after a role, or before one, that begin another clause and are not names. */
const NO_NAME =
  /^(?:I|The|And|But|So|He|She|They|We|It|Is|Are|What|How|Can|Could|Also|Both|Yes|No|Oh|Well|My|Our|This|That|There|Please|Thanks|Sorry|Lol|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter|English|German|French)(?:day)?(?!\p{L})/u;

/** Roles and relations of people named beside them, in any sentence. */
export function englishRelations(message: string): readonly Statement[] {
  const said = [
    ...[...message.matchAll(ROLE_NAMED)].map(([, kind = "", name = ""]) => ({ kind, name })),
    ...[...message.matchAll(NAMED_ROLE)].map(([, name = "", kind = ""]) => ({ kind, name })),
  ];
  return said.flatMap(({ kind, name }) =>
    NO_NAME.test(name)
      ? []
      : [
          entity(
            "en",
            name,
            name,
            `is {whose} ${kind.toLowerCase().replace("roomate", "roommate")}`,
            "relation",
          ),
        ],
  );
}
