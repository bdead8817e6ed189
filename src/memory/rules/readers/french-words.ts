/** Stems of regular lasting verbs. */
const REGULAR =
  "habit travaill utilis employ aim ador détest parl jou étudi fum collectionn enseign cuisin dirig développ chant dans " +
  "cultiv jardin pratiqu entraîn bricol march roul pédal voyag skié pêch chass dessin tricot photographi programm cod boss " +
  "rang gard conserv stock lou partag héberg élev dress pass regard écout port évit support toléré mang nag gagn dépens " +
  "épargn économis donn coach encadr gér anim organis milit vot pri médit soign aid corrig répar fabriqu construis visit " +
  "fréquent chauff recycl compost déjeun dîn grignot consomm commenc termin rentr arriv pèse coût oubli redout appréci " +
  "préfér achèt command pilot navigu surf ram grimp randonn cour déploy publi livr sauvegard archiv support héberg test rédig " +
  "bén évol souffr accompagn ramèn emmèn amèn lèv couch réveill form tutoi vouvoi ronfl bégay boit jardin bross cach accept refus autoris interdi allait attend";
/** Irregular forms of the first person, with the third person. */
const IRREGULAR =
  "suis=est sommes=est ai=a avons=a vais=va allons=va fais=fait faisons=fait prends=prend prenons=prend bois=boit buvons=boit " +
  "vis=vit vivons=vit dors=dort dormons=dort pars=part partons=part sors=sort sortons=sort lis=lit lisons=lit écris=écrit " +
  "écrivons=écrit viens=vient venons=vient tiens=tient tenons=tient conduis=conduit conduisons=conduit cours=court " +
  "courons=court apprends=apprend apprenons=apprend mets=met mettons=met vends=vend vendons=vend entends=entend " +
  "crains=craint craignons=craint peins=peint finis=finit finissons=finit lève=lève levons=lève préfère=préfère préférons=préfère " +
  "achète=achète achetons=achète pèse=pèse pesons=pèse peux=peut pouvons=peut sais=sait savons=sait attends=attend " +
  "attendons=attend emmène=emmène emmenons=emmène élève=élève élevons=élève gère=gère gérons=gère cours=court cuis=cuit " +
  "suis=est perds=perd perdons=perd possède=possède possédons=possède suis=est connais=connaît couds=coud nourris=nourrit " +
  "remplis=remplit reçois=reçoit recevons=reçoit maîtrise=maîtrise joins=joint appartiens=appartient essaie=essaie paie=paie " +
  "paye=paye payons=paie tolère=tolère construis=construit produis=produit traduis=traduit";

export const THIRD: ReadonlyMap<string, string> = new Map([
  ...REGULAR.split(" ").flatMap((stem): [string, string][] => [
    [`${stem}e`, `${stem}e`],
    [`${stem}${stem.endsWith("g") ? "e" : ""}ons`, `${stem}e`],
    [`${stem.replace(/c$/, "ç")}ons`, `${stem}e`],
  ]),
  ...IRREGULAR.split(" ").map((pair): [string, string] => {
    const [first = "", third = ""] = pair.split("=");
    return [first, third];
  }),
]);
/** Third-person verb forms, singular and plural, for statements about other people. */
export const OTHERS: ReadonlySet<string> = new Set([
  ...THIRD.values(),
  ...REGULAR.split(" ").map((stem) => `${stem}ent`),
  ..."était étaient sont ont font vont tiennent viennent prennent boivent vivent dorment lisent écrivent conduisent apprennent vendent finit expire débute fonctionne tourne s'appelle s'appellent s'entraîne se coûte dure ouvre ferme".split(
    " ",
  ),
]);

export const OFTEN =
  /(?<!\p{L})(?:toujours|jamais|souvent|rarement|parfois|régulièrement|d['’]habitude|généralement|normalement|surtout|principalement|tous les|toutes les|chaque|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|matin|soir|midi|week-end)|fois par|par (?:jour|semaine|mois|an)|depuis|constamment|tout le temps|que d|uniquement|seulement)(?!\p{L})/iu;

export const PASSING_THING =
  /(?<!\p{L})(?:questions?|problèmes?|erreurs?|faim|soif|froid|chaud|mal|sommeil|raison|tort|besoin|envie|impression|idées?|rhume|fièvre|grippe|réunion|temps|doutes?|souci|bug|fichier|code|texte|liste|tableau|fonction|script|hâte|chance|honte|marre|gueule de bois|difficultés?|rendez-vous|trou|message|requête|tâche|demande|peine|train)(?!\p{L})/iu;
export const PASSING_SUBJECT =
  /(?:code|build|tests?|script|fonction|requête|programme|erreur|problème|question|idée|avis|texte|message|fichier|tableau|tête|dos|ventre|gorge|journée|semaine|connexion|impression|but|objectif|intention|plan|prompt)$/iu;

/** Adjectives of lasting states, and endings of professions. */
export const LASTING_STATE =
  /^(?:(?:très|un peu|totalement|complètement|légèrement|plutôt|assez|gravement|fortement|pas|plus) )*(?:allergique|mariée?|fiancée?s?|divorcée?|célibataire|veu(?:f|ve)|pacsée?s?|séparée?|sourde?|aveugle|muette?|daltonien(?:ne)?|malentendante?|myope|presbyte|astigmate|diabétique|asthmatique|épileptique|dyslexique|autiste|végane?s?|végétarien(?:ne)?s?|végétalien(?:ne)?s?|intolérante?|gauch(?:er|ère)|droit(?:ier|ière)|ambidextre|bilingue|trilingue|enceinte|retraitée?|indépendante?|salariée?|fonctionnaire|intérimaire|au chômage|à la retraite|à mon compte|en couple|en fauteuil roulant|en congé parental|au régime|né[es]*|bénévole|membre|originaire|fane?|fan|accro|athée|croyante?|catholique|juif|juive|musulmane?|protestante?|bouddhiste|timide|introvertie?|extravertie?|insomniaque|frileu(?:x|se)|claustrophobe|phobique|frontali(?:er|ère)|propriétaire|locataire|papa|maman|père|mère|grand-mère|grand-père|jumeau|jumelle|fils unique|fille unique|gay|lesbienne|bisexuel(?:le)?|sobre|abstinente?|tête en l['’]air|kiné|infirm(?:ier|ière)|étudiante?|avocate?|médecin|prof|instit|pompier|boulang(?:er|ère)|mécano|artisane?|lycéen(?:ne)?|interne|sage-femme|vétérinaire|comptable|secrétaire|architecte|dentiste|pharmacien(?:ne)?|mécanicien(?:ne)?|électricien(?:ne)?|\p{L}+(?:ateur|atrice|seur|seuse|teur|teuse|geur|geuse|ieur|ieure|iste|logue|graphe|icien|icienne|nier|nière|chère|agogue))(?!\p{L})/iu;

/** Words for people and animals by their relation to the speaker; "=f" marks feminine ones. */
export const RELATION =
  /^(?:(?:grande?|petite?|vieille?|vieux|nouveau|nouvelle|nouvel|meilleure?|ex|beau|belle|arrière|demi)[- ])*(?:femme|blonde|chum|conjointe?|mari|compagnon|compagne|copain|copine|conjointe?|mère|maman|père|papa|parents|frères?|sœurs?|soeurs?|fils|filles?|enfants?|grand-mère|grand-père|grands-parents|mamie|papi|tante|oncle|cousine?s?|neveux?|nièces?|petits-enfants|chefs?|cheffe|patronne?|manager|responsable|médecin|dentiste|psy|kiné|collègues?|amie?s?|chiens?|chiennes?|chats?|chattes?|cheval|lapin|perroquet|voisine?s?|directeur|directrice|prof(?:esseure?)?(?: d[e'’] ?\p{L}+)?|plombier|coiffeuse|coiffeur|avocate?|comptable|propriétaire|proprio|nounou|coloc(?:ataire)?s?|entraîneur|coach|banquier|banquière|mécano|garagiste|assistante?|beaux-parents|belle-mère|beau-père|belle-sœur|beau-frère|jumeaux|jumelles|bébé|famille)$/iu;
export const ROLE =
  /^(?:nouvelle? |nouveau )?(?:chefs?|cheffe|patronne?|manager|responsable|médecin|dentiste|psy|kiné|directeur|directrice|prof(?:esseure?)?(?: d[e'’] ?\p{L}+)?|plombier|coiffeuse|coiffeur|avocate?|comptable|propriétaire|proprio|nounou|entraîneur|coach|banquier|banquière|mécano|garagiste)$/iu;

/** Nouns with a feminine ending, and common feminine nouns without one. */
export const FEMININE =
  /(?:tion|sion|ette|elle|esse|ille|ie|ée|té|ure|ance|ence|aison|ude|trice|euse|ère|enne|onne|ine|ade|ique|ise|une)$|^(?:voiture|mère|femme|fille|sœur|soeur|tante|maison|équipe|base|chambre|banque|école|adresse|carte|classe|ville|rue|couleur|chanson|langue|maladie|boîte|entreprise|fête|date|montre|moto|télé|mamie|maman|compagne|copine|chienne|chatte|chorale|cave|cuisine)$/iu;
