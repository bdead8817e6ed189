/**
 * Verbs whose simple present expresses a habit or a lasting state. Other verbs do so only with a word of
 * frequency.
 */
export const LASTING_VERBS: ReadonlySet<string> = new Set(
  (
    "live work study teach play drive own use speak drink eat love like hate prefer enjoy wear keep store " +
    "collect sing dance swim run cycle bike walk hike jog climb row surf ski paint draw knit sew bake cook garden " +
    "fish hunt camp travel commute fly sleep wake rise nap smoke vape grow raise breed foster coach train " +
    "practise practice volunteer tutor mentor manage lead supervise own rent lease share host run organise " +
    "organize maintain develop code program write read blog stream podcast photograph film edit translate " +
    "design build make repair fix sell trade invest save donate belong owe support follow watch listen " +
    "order shop buy bank pay earn cost weigh measure take inject suffer struggle snore stutter avoid skip " +
    "fear dislike detest adore loathe crave trust worship pray attend visit meet see call stay babysit " +
    "homeschool celebrate understand lift box fence ride skate shave dye hold carry possess lack need require " +
    "charge park heat recycle compost brew ferment forget lose misplace misspell procrastinate reply answer " +
    "respond book deploy release ship test track log document name label file sort backup sync encrypt commit " +
    "review open close start finish begin end expire sit stand hang lie contain hold include consist cover face " +
    "come go get do have spend moonlight freelance serve represent captain chair play mind care look help tend feed bring last allow accept refuse allow accept refuse"
  ).split(" "),
);

/** Objects of "like" that stand alone: without "the" or "your", which would refer to another sentence. */
const LIKED =
  /^(?!(?:all )?(?:the|their|your|how|what|this|to (?:say|ask|bother|admit|know|see|get|hear))\b)/;
/** Verbs that need a complement of NEEDED even with an adverb of frequency. */
export const STRICT: ReadonlySet<string> = new Set(
  "go get come do have mind care keep like love hate enjoy adore dislike share support use make drive run play".split(
    " ",
  ),
);

/**
 * Complements that some lasting verbs require, because the bare verb may describe a single moment: "I go to
 * …", "I take … every morning".
 */
export const NEEDED: ReadonlyMap<string, RegExp> = new Map([
  [
    "go",
    /^(?:to (?:the (?:gym|pool|church|mosque|market|sauna|library)|church|bed|school|uni|university|college|the \w+|an? |\p{Lu}|\w+ (?:class|school|practice|training|lessons?)\b)|\w+ing\b|on holiday|vegan|by\b|home)/u,
  ],
  [
    "get",
    /^(?:up\b|(?:really |very |easily )?(?:migraines|car ?sick|sea ?sick|headaches|hay ?fever|nervous|anxious|rashes|hives|my \w+ (?:from|at)|paid)\b)/,
  ],
  ["come", /^from\b/],
  [
    "do",
    /^(?:my (?:best|shopping|own|taxes|groceries|writing|work|weekly|laundry)|yoga|pilates|karate|judo|crossfit|ballet|ceramics|pottery|\w+ing\b|most|all|the (?:cooking|dishes|laundry|school run)|night shifts|freelance|crosswords?)\b/,
  ],
  ["have", /^$/],
  [
    "see",
    /^(?:(?:my|our|an?) (?:therapist|counsell?or|doctor|psychiatrist|physio\w*|chiropractor|osteopath|grand\w+|parents|mum|dad|mom)\b|\p{Lu}|it as)/u,
  ],
  [
    "live",
    /^(?:in (?:an?|the|my|our|\p{Lu}\S*|student|shared|sheltered)\b|near|at|on|with|alone|next|off|by|outside|abroad|together|between|above|below|under|downstairs|upstairs|across|close|\d)/u,
  ],
  [
    "drive",
    /^(?:an? |my (?:own |old )?(?:car|van|truck|kids|children|son|daughter)|\p{Lu}|\d|to |for |electric|manual|automatic|everywhere|stick|trucks|buses|taxis|only)(?!.*\b(?:crazy|mad|insane|nuts)\b)/u,
  ],
  [
    "play",
    /^(?!(?:devil|along|dumb|safe|it\b|the (?!(?:\w+ )?(?:piano|guitar|violin|viola|cello|drums|flute|clarinet|sax\w*|trumpet|trombone|harp|banjo|ukulele|oboe|organ|bass|accordion|bagpipes|recorder)\b)))/,
  ],
  ["keep", /^(?!going|on\b|up\b|doing|\w+ing\b|the (?:faith|pace|peace)|calm|track of)/],
  [
    "share",
    /^(?:an? |my |our )(?:flat|apartment|house|room|office|car|birthday|bed|garden|kitchen|desk|account)\b/,
  ],
  ["support", /^(?:\p{Lu}|my (?:parents|mum|dad|mom|brother|sister))/u],
  ["lift", /^(?:weights|heavy)/],
  ["help", /^(?:out (?:at|in)|at|my (?:mum|dad|mom|parents|brother|sister|uncle|aunt|gran\w*|neighbou?r))\b/],
  ["trust", /^no(?:body|-one| one)/],
  ["face", /^$/],
  ["cover", /^$/],
  ["watch", /^(?!over\b|out\b|the (?:video|clip))/],
  ["call", /^(?:my|our)\b/],
  ["meet", /^(?:up |with |every|on|once|twice|at|for|my|our)\b/],
  [
    "need",
    /^(?:glasses|reading glasses|a (?:wheelchair|walking stick|cane|hearing aid|quiet)|(?:at least )?(?:\w+ )hours? of sleep|(?:subtitles|captions)\b)/,
  ],
  [
    "take",
    /^(?:(?:my|our|the) \w+|\d|an? \w+|\p{L}+)\b.*\b(?:every|each|once|twice|for (?:my|an?|blood|the)|daily|a day|in the (?:morning|evening)|at night|before bed|on \w+days?|to (?:work|school)|with|against)\b|^(?:insulin|blood thinners|antidepressants|beta blockers|ibuprofen|statins|the (?:bus|train|tram|metro|subway|tube|ferry)|my (?:coffee|tea|meds|medication|pills))\b/iu,
  ],
  ["look", /^after\b/],
  [
    "make",
    /^(?:my own|our own|an? living|music|jewell?ery|furniture|pottery|candles|wine|cheese|soap|films|videos|beats|about \d|\d)/,
  ],
  [
    "write",
    /^(?:(?:in|with|by|for|about|my|our|all|most|poetry|poems|songs|fiction|music|novels|left)\b|code|books|thrillers|(?:commit messages|tests|docs|documentation|reports|e-?mails|specs) (?=\w)|software|\p{Lu}|the (?:newsletter|blog))/u,
  ],
  [
    "read",
    /^(?:(?:only|mostly|mainly|a lot|about|at least|one|two|\w+ books|everything|in|books|novels|poetry|manga|comics|the \p{Lu}\w*|\p{Lu}\w*)\b|(?:non-?fiction|fiction|sci-?fi|crime|thrillers)\b)/u,
  ],
  [
    "run",
    /^(?:an? |my |our |the (?:local|family|company|office|shop)|\p{Lu}|on |every|once|twice|marathons|two|three|half|\d)/u,
  ],
  [
    "build",
    /^(?:(?:guitars|furniture|boats|houses|models?|apps|websites|software|robots|my own|our own|everything|with|in)\b)/,
  ],
  ["fix", /^(?:cars|bikes|bicycles|computers|watches|clocks|things|old)\b/],
  ["sell", /^(?!it\b|this|that)\p{L}/u],
  [
    "hold",
    /^(?:a|an|dual|two|the)\b (?:.*\b)?(?:citizenship|degree|licen[cs]e|passports?|patents?|certificate|record|shares|black belt|phd)\b/i,
  ],
  ["start", /^(?:work|my (?:shift|day)|at|every)\b/],
  ["finish", /^(?:work|my (?:shift|day)|at|every)\b/],
  ["end", /^(?:work|my (?:shift|day)|at|in|on)\b/],
  ["test", /^(?:with|in|on|every|our|all)\b.*\b(?:with|on|every|in)\b/],
  ["open", /^(?:at|on|every)\b/],
  ["close", /^(?:at|on|every)\b/],
  ["order", /^(?:my|our|from|groceries|takeaway|always)\b/],
  [
    "spend",
    /^(?:most|all|my|our|every|about|around|half|a lot|too much|winters?|summers?|christmas|\d|the (?:summers?|winters?|weekends?|holidays))\b/i,
  ],
  ["stay", /^(?:with|at|in|up late|away from|home)\b/],
  ["follow", /^(?:an? |the \p{Lu}|\p{Lu}|\w+ (?:diet|football)|formula|the (?:news|paleo|keto|gospel))/u],
  ["mind", /^$/],
  ["care", /^for (?:my|our)\b/],
  ["answer", /^(?!(?:you|your|that|this)\b)/],
  ["lie", /^(?:on|in)\b/],
  ["understand", /^\p{Lu}\p{Ll}{3,}$/u],
  ["forget", /^(?:birthdays|names|faces|people|to|appointments|passwords|my|where|anniversaries)\b/],
  ["lose", /^(?:my|track|things|patience)\b/],
  ["track", /^(?:my|our|all|every)\b/],
  ["review", /^.*\b(?:every|on|once|each|weekly)\b/],
  ["log", /^.*\b(?:in|with|to)\b/],
  ["commit", /^.*\b(?:every|on|directly|to|in)\b/],
  ["file", /^(?:my|our)\b/],
  ["include", /^$/],
  ["bring", /^(?:my|our)\b/],
  ["train", /^(?:for|at|with|on|every|twice|once|three|in|my|our|\w+ times|\p{Lu}|muay|jiu|dogs|horses)\b/u],
  ["save", /^(?:for|about|\d|my|half|every|most)\b/],
  ["visit", /^.*\b(?:every|once|twice|on|each|most|often|a (?:week|month|year)|at (?:christmas|easter))\b/i],
  ["fly", /^(?:on|economy|business|drones|gliders|planes|to|from|with|only)\b/],
  ["name", /^(?:my|our|all)\b/],
  ["like", LIKED],
  ["adore", LIKED],
  ["dislike", LIKED],
  ["love", LIKED],
  ["hate", LIKED],
  ["enjoy", LIKED],
  ["use", /^(?!(?:your|this|that|it|them|the (?:following|same|above|code|function))\b)/],
]);

/**
 * Verbs that never express habits, even with a word of frequency: verbs of speech, thought, and the task at
 * hand.
 */
export const MOMENTARY: ReadonlySet<string> = new Set(
  (
    "think guess hope wish want see hear mean bet suppose know feel believe promise agree disagree say " +
    "remember doubt wonder imagine assume swear apologize apologise thank recommend suggest understand tell ask " +
    "notice appreciate realise realize find figure try seem appear happen was were had did got went said came " +
    "could would should might may must shall will am is are be been need click install compile import " +
    "lost bought took made came saw ran ate drank drove wrote began broke brought built caught chose drew fell felt " +
    "found flew forgot gave grew heard held kept knew left lent met paid rode rang rose sang sat sold sent shot slept " +
    "spoke spent stood stole swam taught told thought threw understood woke wore won became put set cut split hit let quit keep"
  ).split(" "),
);

/** A word of frequency or duration. */
export const OFTEN =
  /\b(?:always|usually|often|never|mostly|rarely|seldom|sometimes|normally|generally|regularly|typically|constantly|hardly ever|tend to|every|each|once|twice|(?:three|four|five|\d) times|daily|weekly|monthly|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends|at (?:the )?weekends?|(?:a|per) (?:day|week|month|year)|since|for (?:\w+ )?(?:years|decades))\b/i;

/** Adjectives and participles of lasting states. */
export const LASTING_STATE =
  /^(?:(?:severely|very|really|terribly|highly|partially|partly|totally|completely|slightly|mildly|happily|quite|pretty|newly|fully|self-|half|strictly|mostly|red-green) ?)*(?:colou?r-? ?blind|deaf|blind|mute|dyslexic|autistic|diabetic|epileptic|asthmatic|celiac|coeliac|bipolar|vegan|vegetarian|pescatarian|allergic|intolerant|lactose|gluten|left-?handed|right-?handed|ambidextrous|bilingual|trilingual|fluent|married|engaged|divorced|single|widowed|separated|retired|unemployed|self-?employed|employed|freelance|freelancing|pregnant|gay|lesbian|bisexual|queer|trans|straight|non-?binary|catholic|jewish|muslim|buddhist|hindu|christian|atheist|protestant|orthodox|religious|teetotal|sober|shy|introverted|extroverted|tall|short|short-?sighted|near-?sighted|far-?sighted|long-?sighted|bald|ticklish|squeamish|claustrophobic|arachnophobic|impatient|forgetful|tone-?deaf|hard of hearing|prone|sensitive|afraid|scared|terrified|good|bad|terrible|hopeless|useless|rubbish|great|fond|keen|into|responsible|insured|enrolled|registered|certified|qualified|trained|licensed|based|originally from|from|used to working|used to|named|called|born|raised|adopted|estranged|british|irish|scottish|welsh|english|american|canadian|german|french|spanish|italian|polish|dutch|swedish|danish|indian|chinese|japanese|korean|brazilian|mexican|australian|turkish|greek|russian|ukrainian|nigerian|half)\b/i;
/** Temporary things that a person "has" or "is". */
export const PASSING_THING =
  /^(?:(?!(?:for|with|in|on|at|of|to|by|from|that|who) )[\w'-]+ ){0,4}(?:questions?|idea|ideas|problems?|issues?|bugs?|errors?|exceptions?|feeling|doubts?|clue|thoughts?|time|headache|cold|fever|flu|cough|hangover|stomach ache|sore throat|meeting|call|deadline|look|chat|point|plan|choice|luck|fun|day|week|weekend|night|morning|evening|bit|little|lot|lots|moment|mess|wreck|idiot|hurry|rush|loss|function|class|variable|list|table|array|string|file|script|query|dataset|data|code|document|text|folder|method|loop|component|error|page|form|column|field|pull request|pr|branch|test|tests|task|tasks|job interview|interview|favou?r|request|suggestion|reason|need|hard time|trouble|difficulty|difficulties|coffee|lunch|dinner|breakfast|drink|snack|dream|nightmare|minute|second|while|sec|pics?|pictures?|photos?|videos?|screenshots?|recipe|events?|challenges|blast|ball|love|respect|good time|great time|times?|stuff|things?|surprise|announcement|follow-?up|confession|theory|hunch|concern|concerns|complaint|update|news|access|permission)(?=$|,| (?:to|about|with|in|on|at|for|that|this|of|when|where|coming|from|regarding|and|but|because|here|today|now|tomorrow|how|why|what|related|left|who)\b)|^to\b/i;

/** Nouns for the task at hand ("this bug", …): statements about them are not lasting facts. */
export const PASSING_SUBJECT =
  /\b(?:code|build|tests?|script|function|query|program|error|problem|question|issue|bug|idea|point|guess|opinion|apologies|bad|mistake|loop|request|prompt|essay|text|paragraph|answer|message|file|document|understanding|impression|feeling|bond|love|favou?rite (?:thing|one|part)|concern|hope|wish|plan|advice|suggestion|input|output|internet|connection|goodness|god|intention|attempt|draft)\b|^(?:day|week|weekend|life|mind|back|head|stomach|throat|turn|thing)$/i;

/** Words for people and animals by their relation to the speaker. */
export const RELATION =
  /^(?:(?:older|younger|oldest|youngest|eldest|elder|middle|little|big|twin|late|new|old|good|best|ex|step|half|foster|great|only|teenage|baby|maternal|paternal|elderly|other|first|upstairs|downstairs|next-door|former)[- ])*(?:step|grand|great-?grand|ex-?)?(?:mum|mom|mother|dad|father|parents?|brothers?|sisters?|siblings?|sons?|daughters?|kids?|child|children|twins?|boys?|girls?|wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|grandma|grandmother|grandpa|grandfather|grandparents|gran|nan|granny|aunt|auntie|uncle|cousins?|niece|nephew|in-laws|(?:mother|father|sister|brother|son|daughter)-in-law|godson|goddaughter|godmother|godfather|family|(?:best |good |old |close |childhood |school )?friends?|flatmates?|roommates?|housemates?|neighbou?rs?|boss|manager|line manager|team lead|supervisor|mentor|coach|trainer|teacher|tutor|colleagues?|co-?workers?|teammates?|assistant|secretary|intern|business partner|co-?founder|doctor|gp|dentist|therapist|physio|lawyer|solicitor|accountant|plumber|electrician|hairdresser|barber|cleaner|nanny|babysitter|landlord|landlady|vet|gardener|mechanic|dog|dogs|cat|cats|puppy|kitten|horse|rabbit|parrot|tortoise|hamster|guinea pigs?|pet|budgie|pony|chickens|hens|goldfish)$/i;

/** Relations and roles of which a person has only one at a time. */
export const ROLE =
  /^(?:new )?(?:boss|manager|line manager|team lead|supervisor|mentor|coach|trainer|teacher|tutor|assistant|secretary|doctor|gp|dentist|therapist|physio|lawyer|solicitor|accountant|plumber|electrician|hairdresser|barber|cleaner|nanny|babysitter|landlord|landlady|vet|gardener|mechanic)$/i;

/** Plural nouns that do not end in "s". */
export const PLURAL =
  /(?:children|people|parents|twins|kids|sons|daughters|boys|girls|men|women|[^s]s|in-laws)$/i;

/** Lasting verbs that are also nouns: "and support" may continue an object. */
export const ALSO_NOUN =
  /^(?:dance|walk|work|swim|run|sleep|paint|love|read|fish|cook|play|study|train|support|help|share|stream|film|book|name|test|order|shop|call|visit|fear|care|mind|trade|design|code|program|hunt|hike|ride|box|fence|track|file|log|document|label|cover|face|charge|park|garden|coach|host|lead|start|finish|end|close|review|release|ship|answer|reply|measure|need|spend|hold|skate|surf|row|ski|camp|travel|bike|cycle)$/;
