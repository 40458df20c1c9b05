/** Words of English by the part that they may play in a sentence. A word may stand in several lists. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The base forms of the verbs that the comments of this project use. */
export const BASE_FORMS = words(`
  abort accept acknowledge acquire act activate add address admit adopt advance affect agree aim align allow
  alter animate announce anonymise answer anticipate appear append apply approve archive arise arrange
  arrive ask assert assess assign assist associate assume attach attempt attest attract authenticate
  authorise avoid await backdate balance bar become begin behave belong bind blend block blur boot borrow
  bounce bound branch break bring broadcast browse buffer build bump bundle buy bypass cache calculate call
  cancel capitalise capture care carry cascade cast catch cause change charge check choose chunk cite claim
  clamp clash classify clean clear click clip clone close cluster coalesce coincide collapse collect collide
  combine come commit communicate compare compensate compete compile complain complete complicate comply
  compose compress compute concatenate concern conclude confine confirm conform confuse connect consider
  consist construct consume contain continue contradict contribute control convert cope copy correct
  correspond cost count cover crash create crop cross customise cut damage dare deactivate deal debounce
  decay deceive decide declare decline decode decrease decrypt deduplicate deem default defer define degrade
  delay delegate delete deliver demand demonstrate deny depend deploy dequeue derive describe deserve
  designate detect determine diagnose dictate die differ disable disagree disappear discard disconnect
  dismiss dispatch display distinguish diverge divide dominate double downgrade download draft drag drain
  draw drift drop dump duplicate echo edit eject elapse eliminate embed emerge emit employ empty emulate
  enable enclose encode encounter encourage encrypt end enforce enlarge enqueue ensure entail enter
  enumerate equal erase erode escalate escape establish estimate evaluate evict evolve examine exceed
  exchange exclude execute exempt exhaust exist exit expand expect expire explain export expose express
  extend extract facilitate fade fail fake fall favour feed feel fetch fill filter finalise find finish fire
  fit fix flatten flip flood flow flush focus fold follow forbid force forget form format forward free
  freeze fulfil function gain gather generate get give go govern grant greet ground grow guarantee guard
  guess guide halt halve hand handle hang happen harm hash have hear help hide hint hit hold honour host
  hover hurt hyphenate identify idle ignore illustrate imitate impede implement imply import impose improve
  include increase incur indent index indicate infer inflate inform inherit inhibit initialise initiate
  inject inline insert insist inspect install integrate intend intercept interfere interleave interpolate
  interpret interrupt intersect introduce invalidate invent invert invite invoke isolate issue iterate join
  judge jump justify keep kill knock know label lack lag land lapse last launch lead leak learn lease leave
  lend lengthen let lie lift liken limit link list listen live load lock log look lose lower lowercase lurk
  maintain make manage map mark mask match materialise matter maximise mean measure meet memoise mention
  merge migrate mimic mind minimise mirror mislead misread miss mistake mix modify monitor mount move
  multiply mutate name narrow navigate need nest normalise note notice notify number obey object obscure
  observe obtain occupy occur offer omit open opt optimise order originate outdent outgrow outlast outlive
  outrank outrun outweigh overcome overflow overlap overload overlook override overtake overwrite owe own
  pack pad page paint panic parse pass paste patch pause pay peek pend perform permit persist pick pin place
  plan play point poll pool pop populate post pour precede precompute predict prefer preload prepare prepend
  preserve press presume presuppose pretend prevent print proceed process produce prohibit promise promote
  prompt propagate propose protect prove provide prune publish pull punish purge push put qualify quantify
  quantise quarter query question queue quit quote race raise rank reach react reactivate read realise
  reappear rearrange reassign rebuild recall receive reckon recognise recommend reconcile reconnect
  reconsider reconstruct record recover recreate recur recurse redact redirect redo redraw reduce refer
  refill refrain refresh refund refuse regain regard register reign reindex reinforce reinstall reject
  relate relax relay release reload rely remain remember remind remove rename render renew reopen repair
  repeat repel replace replay replicate reply report represent request requeue require rerun reschedule
  rescue reseal resemble resend reserve reset reside resist resize resolve respawn respect respond rest
  restart restore restrict resume retain rethrow retire retract retrieve retry return reuse reveal reverse
  revert review revise revoke reward rewind rewrite ride rise risk roll rotate round route rule run sanitise
  save say scale scan schedule score scroll seal search see seed seek seem segment select sell send separate
  serialise serve set settle sever shadow share shell shield shift ship shorten show shrink shuffle shut
  sign signal silence simplify simulate sink sit size skew skim skip sleep slice slide slip slow smooth snap
  snooze solve sort sound span spare spawn speak specify spell spend spin split spoil spot spread squeeze
  stabilise stack stall stamp stand start state stay steal steer stem step stick stitch stop store stray
  stream strengthen stretch strip style submit subscribe substitute subsume subtract succeed suffer suffice
  suggest suit sum summarise supply support suppose suppress surface surprise surround survive suspect
  suspend sustain swallow swap sweep switch synchronise tackle tag tailor take talk tamper target teach tear
  tell tempt tend terminate test think threaten throttle throw tick tidy tie time tint toggle tokenise
  tolerate touch trace track trail train transfer transform translate transmit trap travel traverse treat
  trick trigger trim trip truncate trust try tune turn type uncover undergo underline undermine understand
  undo unescape unfold unify unite unlock unmount unpack unpublish unset unsubscribe unwrap update upgrade
  uphold upload uppercase upsert urge use usher validate vanish vary verify violate visit void vouch wait
  wake walk wander want warm warn waste watch weaken wear weigh widen win wire withdraw withhold withstand
  work worsen wrap write yield zip zoom
`);

/** Base forms that are nouns at least as often. */
export const NOUNS = words(`
  act address aim answer archive attempt balance block blur bounce bound branch break broadcast buffer bump
  bundle call capture care cast catch cause change charge check chunk claim clash clip clone close cluster
  commit compound control copy correct cost count cover crash crop cross cut damage deal decay default delay
  delete demand display double download draft draw drift drop dump edit empty end escape estimate exchange
  exit experience export fade fake fall feed field fill filter find fire fit fix flip flood flow focus force
  form format free function gain grant ground guarantee guard guess guide halt hand handle harm hash help
  hint hit hold host hurt idle import increase indent index inline insert install invite issue judge jump
  key kill kind lack lag land lapse last launch lead leak lease leave lift limit link list live load lock
  log look map mark mask match matter measure mention mind mirror mistake mix model monitor mount move name
  need nest note notice number object offer open order overlap own pack pad page paint panic part pass paste
  patch pause pay peek permit pick pin place plan play point poll pool pop post press print process produce
  profile promise prompt proxy pull purge push put quarter query question queue quote race raise rank rate
  read reason recall record refill refresh refund regard relay release remark rename repair replay reply
  report request reserve reset respect rest result resume retract retry return reverse review reward rewrite
  ride rise risk roll round route rule run save say scale scan schedule score scroll seal search seed
  segment sense sentence separate service set shadow share shell shield shift ship show shut sign signal
  silence sink size skip sleep slice slide slip slow snap sort sound source space span spare spell spin
  split spot squeeze stack stall stamp stand start state stay stem step stop store stray stream stretch
  strip style submit substitute sum supply support surface surprise suspect swap sweep switch table tag take
  talk target tear tell template tend term test text think thread throttle throw tick tie time tint toggle
  touch trace track trail train transfer trap travel treat trick trigger trim trip trust try tune turn type
  understand undo unit update upgrade upload use value view visit void wait wake walk want warm warn waste
  watch wear win wire word work wrap write yield zip zoom
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
