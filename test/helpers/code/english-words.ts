/** Words of English by the part that they may play in a sentence. A word may stand in several lists. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The base forms of the verbs that the comments of this project use. */
export const BASE_FORMS = words(`
  abort accept acknowledge act add address admit adopt advance affect agree aim allow alter announce answer
  appear append apply archive arise arrive ask assign assume attach attempt attest avoid await backdate bar
  become begin behave belong bind block boot borrow bound branch break bring browse buffer build bundle buy
  bypass cache call cancel capitalise care carry cascade cast catch cause change charge check choose chunk
  cite claim clash clean clear click clip close cluster coincide collapse collect combine come commit
  compare compete compile complain complete comply compose compress compute concern conclude confirm confuse
  connect consider consist consume contain continue contradict contribute control convert cope copy cost
  count cover crash create cross cut dare deal decide declare decline decode decrease deduplicate default
  defer define delay delegate delete deliver demand deny depend derive describe deserve detect determine die
  differ disable disagree disappear discard disconnect dismiss dispatch display distinguish divide double
  download drag drain draw drift drop duplicate echo edit eject embed emit empty enable encode end enforce
  enter equal erase escalate escape establish estimate evict exceed exchange exclude execute exhaust exist
  exit expand expect expire explain export expose express extend extract fade fail fall favour feed feel
  fetch fill filter find finish fire fit fix flood flow flush focus fold follow forbid force forget form
  format forward free freeze fulfil function gain gather generate get give go grant greet grow guarantee
  guard guess guide hand handle hang happen harm hash have hear help hide hint hit hold honour host hurt
  identify ignore implement imply import improve include increase index indicate inflate inform inherit
  inject insert inspect install intend interfere interpret interrupt introduce invalidate invent invite
  invoke issue join judge jump keep kill knock know label lack land last lead leak learn lease leave lend
  let lie limit link list listen live load lock log look lose lower make manage map mark mask match matter
  mean measure meet mention merge migrate mind misread miss mix modify move name narrow need nest normalise
  note notice notify number obey observe obtain occupy occur offer omit open opt order outlive overflow
  overlap override overwrite own pack page parse pass paste pause pay perform permit pick place plan play
  point poll populate post precede prefer prepare preserve press pretend prevent print proceed process
  produce promise promote protect prove provide publish pull push put quantise quarter query question queue
  quote race raise reach react read rebuild receive recognise reconnect record recover recur recurse
  redirect reduce refer refill refresh refund refuse regain register reject relate release rely remain
  remember remind remove rename render renew reopen repeat replace reply report represent request require
  reserve reset resize resolve respect respond rest restart restore resume retire retry return reuse reveal
  revoke rewrite rise roll round route rule run save say scan score scroll seal search see seem segment
  select sell send separate serialise serve set settle share shift ship shorten show shrink shut sign
  simulate sink sit skip sleep slow smooth solve sort sound span spare speak spend split spoil spread stall
  stand start state stay steal step stick stop store stray stream stretch strip style submit subscribe
  subtract succeed suffice suggest suit sum summarise supply support suppose suppress surprise survive
  suspend swap switch tag take talk target teach tear tell tend terminate test think threaten throttle throw
  tick tie time toggle touch trace track trail train transfer transform translate travel treat trigger trim
  trip truncate trust try turn type undo unfold unify unite update upgrade upload use validate vanish vary
  verify visit vouch wait wake walk want warm warn waste watch wear weigh win withdraw withhold work wrap
  write yield
`);

/** Base forms that are nouns at least as often. */
export const NOUNS = words(`
  act address aim answer attempt block bound branch break buffer bundle call care cast catch cause change
  charge check chunk claim clash close cluster commit compound control copy cost count cover crash cross cut
  deal default delay delete demand display double download draw drift drop edit empty end escape estimate
  exchange exit export fade fall feed field fill filter find fire fit fix flood flow focus force form format
  free function gain grant guarantee guard guess guide hand handle harm hash help hint hit hold host hurt
  import increase index insert install invite issue judge jump key kill kind lack land last lead leak lease
  leave limit link list live load lock log look map mark mask match matter measure mention mind mix model
  move name need nest note notice number offer open order overlap own pack page part pass paste pause pay
  permit pick place plan play point poll post press print process produce profile promise proxy pull push
  put quarter query question queue quote race raise rate read reason record refill refresh refund release
  remark rename reply report request reserve reset respect rest result resume retry return rewrite rise roll
  round route rule run save say scan score scroll seal search segment sense sentence separate service set
  share shift ship show shut sign sink skip sleep slow sort sound source space span split stall stand start
  state stay step stop store stream stretch strip style submit sum supply support surprise swap switch table
  tag take talk target tear tell template tend term test text think thread throttle throw tick tie time
  toggle touch trace track trail train transfer travel treat trigger trim trip trust try turn type undo unit
  update upgrade upload use value view visit wait wake walk want warm warn waste watch wear win word work
  wrap write yield
`);

/** Verbs that are always finite, but for `have` and `do`. */
export const AUXILIARIES = words(`
  is are was were am has have had does do did can could may might must shall should will would cannot
`);

/** Past forms that are no participles: always finite. */
export const ONLY_PAST = words(`
  arose ate became began bore broke came chose drew drove fell flew forgot froze gave grew knew lay outgrew
  overtook ran rang rose sang sank saw shook spoke stole swam threw took went woke wore wrote
`);

/** Past forms of verbs without an object: after a noun they are finite. */
export const INTRANSITIVE = words(`
  ended failed arrived happened existed expired appeared disappeared crashed succeeded stayed remained
  waited differed belonged consisted lasted depended occurred finished disconnected
`);

const participles = words(`
  bought brought built caught dealt felt found got heard held kept laid led left lent lost made meant met
  paid put read said sent sat set shut slept sold spent split stood stuck sought taught thought told
  understood won
`);

/** Past forms: most are participles as well. */
export const PAST_FORMS: ReadonlySet<string> = new Set([
  ...ONLY_PAST,
  ...participles,
  ...[...BASE_FORMS].flatMap(toPast),
]);

/** Forms in -s: of a verb with a subject in the singular, or the plural of a noun. */
export const THIRD_PERSONS: ReadonlySet<string> = new Set([...BASE_FORMS].map(toThirdPerson));

/** Those that are hardly ever the plural of a noun. */
export const ONLY_VERBS: ReadonlySet<string> = new Set(
  [...BASE_FORMS].filter((verb) => !NOUNS.has(verb)).map(toThirdPerson),
);

/** Words before a noun: the word after them is no finite verb. */
export const BEFORE_NOUNS = words(`
  a an the this these every each no any some its their our your my his her one two three four five six seven
  eight nine ten hundred thousand of in on at by for from with without to into onto over under between
  through during against about per via within across behind beside towards toward upon above below beyond
  despite like unlike several many few most more fewer same other another own such first second last next
  both all new old long short large small
`);

/** Subjects in the plural or of the first and second person: a base form after them is finite. */
export const PLURAL_SUBJECTS = words(`
  they we you i these those both others some all many few most several people ones neither two three which
  that who children data
`);

/** Subjects of one word. */
export const SUBJECTS = words(`
  it they we you i he she this that these those one everything nothing everybody nobody anyone
`);

/** Determiners that stand for a noun as well: `Each writes its entry.` */
export const PRONOUNS = words(`
  each one this that these those another neither either none other first second last any most both all own
  more same others
`);

/** Adverbs between a subject and its verb. */
export const ADVERBS = words(`
  also only never always then just often usually already still not even too rarely sometimes therefore
  otherwise thus now again itself themselves alone together here there ever hardly mostly seldom directly
  meanwhile
`);

/** Words that begin a clause with a finite verb of its own. */
export const SUBORDINATORS = words(`
  who whose whom which if whether because unless although though while where wherever when whenever why how
  what whoever whatever whichever
`);

/** Words that begin such a clause, or stand before a noun. */
export const CLAUSES_OR_NOUNS = words(`
  before after until since as than once till
`);

/** Prepositions, and what else separates nouns. */
export const PREPOSITIONS = words(`
  of in on at by for from with to into onto over under between through during against about per via within
  across behind beside towards upon above below beyond despite like without than as before after until since
  and or
`);

/** Words that may stand before the subject or the verb of a sentence. */
export const LEADING = words(`
  also only never always then just often usually already still not even therefore otherwise thus now and but
  so or
`);

/** Words that begin an object, or the rest of a sentence without a subject. */
export const OBJECTS = words(`
  a an the this these those its their it them every each no all both any whether what how nothing § one two
  true false null back up out off down again if until when
`);

/** `match` → `matches`. */
function toThirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh|[^o]o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

function toPast(verb: string): readonly string[] {
  if (verb.endsWith('e')) return [`${verb}d`];
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`];
  return [`${verb}ed`, `${verb}${verb.at(-1)}ed`];
}
