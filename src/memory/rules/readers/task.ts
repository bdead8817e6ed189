/** Beginnings of messages whose text is material of a task or a game, not a statement of the author. */
const TASK =
  /^\s*(?:you(?:['’]re| are) (?:an?|my|the|now an?) (?!star|lifesaver|legend|genius|gem|angel|great|good)|du bist (?:jetzt |nun )?(?:ein|eine|mein|meine|der|die) (?!Schatz|Engel|Held|Genie|Beste|Scherzkeks)|tu es (?:un|une|mon|ma|le|la|maintenant) (?!ange|amour|génie|star|chef)|你(?:现在)?是(?:一[个名位只]|我的|海盗|皇帝|老师)|(?:(?:please|can you|could you|would you|hey|ok(?:ay)?|now|bitte|kannst du|peux-tu|tu peux|请|帮我|麻烦)[,\s]*)*(?:(?:translate|proofread|rewrite|rephrase|paraphrase|correct|fix (?:the|this|my) (?:sentence|grammar|text|spelling)|(?:write|draft|compose) (?:an?|the|me|this)\b|(?:tell|say|reply to) (?:my|him|her|them|the)\b|pretend|imagine|suppose|let['’]s (?:say|pretend|imagine)|act as|role-?play|complete the|continue (?:the|this|my) (?:story|text|poem|dialogue|sentence)|summari[sz]e|explain (?:the )?(?:sentence|phrase)|(?:here(?:['’]s| is)|this is|below is) (?:my|the|an?) (?:\w+ )?(?:essay|text|draft|letter|e-?mail|paragraph|cv|story|poem|bio|speech|answer|dialogue))\b|(?:übersetz|korrigier|formulier|umschreib|schreib(?!\p{L}* (?:mir |bitte )*(?:immer|künftig|nie|niemals|in Zukunft|ab jetzt|ab sofort))|stell(?:e|t)? (?:dir|euch) vor|angenommen|nehmen wir an|tu so|spiel(?:e)? (?:mal |bitte |jetzt )*(?:einen|eine|die|den)|fass(?:e|t)? (?:den|die|das|diesen|folgende|bitte|zusammen|mal)|hier ist (?:mein|der|ein|die) (?:aufsatz|text|brief|entwurf|e-?mail|lebenslauf|gedicht))|(?:jouons|on joue|continue (?:l['’]histoire|le texte|le poème|ce texte)|traduis|traduisez|corrige|reformule|écris|rédige|imagine|imaginons|supposons|fais comme si|admettons|résume|résumez|voici (?:mon|ma|le|la|un|une) (?:texte|lettre|rédaction|brouillon|mail|poème|cv))(?!\p{L})|翻译|把.{0,12}(?:翻译|[翻译]成|润色|改成)|续写|接着写|改写|润色|写一[个篇首段]|总结|概括|以下是|下面是|这是我的(?:作文|文章|信|草稿|简历)|假设|假如|想象|假装|扮演))/iu;

/** Exaggerated praise that is probably ironic. */
const IRONY =
  /^\s*(?:(?:oh|ah|na|ach|wow) )?(?:great|super|toll|klasse|prima|wonderful|fantastic|brilliant|génial|太好了|真棒)(?:[,，] (?!thank|danke|merci)[^.!?]{1,40})?[,.!，！… ]+(?:i (?:just )?(?:love|adore|enjoy)|ich liebe|j['’]adore|我(?:最|真|就)?(?:喜欢|爱))/iu;

/** Ironic agreement with an exaggeration, or praise of a chore. */
const IRONIC =
  /^\s*(?:oh sure|yeah,? (?:right|sure)|sure thing|(?:na )?klar|aber sicher|mais oui|ben oui|ben voyons|mais bien sûr|是啊|对啊|对对对|可不是)[,，!. ]+.*(?:love|adore|liebe|für mein Leben gern|j['’]adore|爱|喜欢)|\b(?:love|adore) it when\b.*\b(?:jams?|breaks?|crash(?:es)?|fails?|freezes?|dies|late|delayed|down|stops? working)\b|\b(?:love|adore)\b.*\b(?:tax(?:es)?|paperwork|forms?|overtime|traffic jams?|queu(?:e|es|ing)|waiting (?:in|on|for)|on hold|stand-?ups|delays|downtime)\b|(?<!\p{L})(?:love my life|liebe mein Leben|adore ma vie)(?!\p{L})|(?<!\p{L})(?:liebe|adore)(?!\p{L}).*(?:Steuererklärung|Überstunden|Stau(?!\p{L})|Warteschl|Papierkram|Formulare|impôts|attendre|embouteillages|heures sup|paperasse|formulaires)|(?:最爱|可爱|真爱|爱死|最喜欢|可喜欢).*(?:加班|塞车|堵车|报税|排队|填表|开会)/iu;

/** Quotations of others, and former beliefs. */
const QUOTED =
  /^\s*["“„«「『]|["”“»」』][,.]?\s*(?:said|says|he|she|sagt|sagte|dit|a dit|说)|(?:^|[\s，。])[他她][^，。]{0,6}(?:说|觉得|认为)[：:，]?|[:：]\s*["“„«「『]|(?<!\p{L})(?:ich dachte|je (?:pensais|croyais))(?!\p{L})|我以为|\b(?:kidding|joking)\b|开玩笑|je plaisante|ich scherze/iu;

/**
 * Whether a message contains material instead of a statement: a translation, a story, a game, a quotation.
 */
export const isTask = (text: string): boolean => TASK.test(text) || IRONY.test(text);

/** Whether a sentence quotes somebody, states a former belief, or is probably ironic. */
export const isQuoted = (sentence: string): boolean => QUOTED.test(sentence) || IRONIC.test(sentence);

/**
 * A task about a text that is elsewhere ("Correct this mail please, …"); the rest of the message may state
 * something.
 */
const SHORT_TASK =
  /^(?:(?:please|can you|could you|bitte|kannst du|peux-tu|tu peux|请|帮我|麻烦)[,\s]*)*(?:translate|proofread|correct|rewrite|rephrase|summari[sz]e|korrigier|übersetz|formulier|fass|corrige|traduis|reformule|résume|翻译|改写|润色|总结)\p{L}*(?:-moi)? (?:me |mir |bitte )?(?:this|my|these|the|diese[nrs]?|den|die|das|meine?n?|ce|cet|cette|ces|mon|ma|mes|le|la)(?!\p{L})[^:"“„«\n]*$|^(?:(?:please|can you|could you|would you|hey|ok(?:ay)?|now)[,\s]*)*(?:write|draft|compose) (?:me )?(?:an?|the) (?:\p{L}+ ){0,2}(?:text|mail|e-?mail|message|note|letter|reply|invitation|invite|announcement|reminder|complaint|cover letter|card|notice)(?: (?:to|for|telling|asking|saying|about)(?!\p{L})|[?.])[^:"“„«\n]*$|^(?:(?:bitte|kannst du)[,\s]*)*(?:schreib|formulier)\p{L}* (?:mir |bitte |mal )*(?:ne|'ne|eine?n?|die|den|das) (?:\p{Ll}+ )?(?:\p{Lu}?\p{L}*(?:mail|nachricht|brief|kündigung|einladung|ankündigung|beschwerde|anzeige))(?!\p{L})[^:"“„«\n]*$|^(?:(?:peux-tu|tu peux)[,\s]*)*(?:m['’])?(?:écris|rédige)(?:-moi)? (?:un|une|le|la) (?:\p{Ll}+ )?(?:mail|message|lettre|mot|texto|sms|annonce|invitation)(?!\p{L})[^:"“„«\n]*$|^(?:(?:请|麻烦|你)*帮我)?写[一]?[个份封条](?:\p{Script=Han}{0,6})?(?:请假条|邮件|通知|微信|短信|信|邀请函?|公告)[^：:"“「]*$/iu;

/** Whether a task of a message has no material in the message itself. */
export const isShortTask = (text: string): boolean => SHORT_TASK.test(text.trim());
