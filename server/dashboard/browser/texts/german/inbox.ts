import { countingIn } from '../counting.ts';
import type { Catalogue } from '../english.ts';

const { plural, number } = countingIn('de');

const conversations = (count: number) => plural(count, { one: '# Unterhaltung', other: '# Unterhaltungen' });

const alreadyResolved = (count: number) =>
  plural(count, { one: '# war schon erledigt', other: '# waren schon erledigt' });

/** Die Liste der Unterhaltungen, ihre Ansichten, Filter und Aktionen. */
export const inbox: Catalogue['inbox'] = {
  openConversation: 'Die offene Unterhaltung',
  views: {
    waiting: 'Wartet auf einen Menschen',
    mine: 'Meine',
    unread: 'Ungelesen',
    sla_at_risk: 'SLA gefährdet',
    snoozed: 'Zurückgestellt',
    low_confidence: 'Heute unsicher',
    open: 'Alle offenen',
    resolved: 'Erledigt',
    all: 'Alle Unterhaltungen',
  },
  shortViews: {
    waiting: 'Wartet',
    mine: 'Meine',
    unread: 'Ungelesen',
    sla_at_risk: 'Gefährdet',
    snoozed: 'Zurückgestellt',
    low_confidence: 'Unsicher',
    open: 'Offen',
    resolved: 'Erledigt',
  },
  viewsLabel: 'Ansichten des Posteingangs',
  savedViews: 'Gespeicherte Ansichten',
  count: (count, end = 1_000) => (count >= end ? `${number(end - 1)}+` : number(count)),
  shared: 'Mit allen geteilt',
  personal: 'Nur für mich',
  viewMenu: (name) => `Ansicht ${name} ändern`,
  rename: 'Umbenennen',
  share: 'Mit allen teilen',
  keepPrivate: 'Nur für mich behalten',
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  moved: (name, place, count) => `${name} ist ${number(place)} von ${number(count)}.`,
  deleteView: 'Ansicht löschen',
  viewDeleted: (name) => `Die Ansicht ${name} ist gelöscht`,
  saveView: 'Ansicht speichern',
  updateView: (name) => `${name} aktualisieren`,
  viewName: 'Name',
  viewNameHint: 'Rücksendungen EU',
  saveTitle: 'Diese Ansicht speichern',
  save: 'Speichern',
  sorts: { waiting: 'Längste Wartezeit zuerst', latest: 'Neueste zuerst', sla_due: 'SLA-Frist zuerst' },
  sort: 'Reihenfolge',
  fresh: (count) => `${number(count)} neu`,
  freshHint: 'Neues zeigen',
  filter: 'Filtern',
  filters: {
    status: 'Stand',
    channel: 'Kanal',
    assignee: 'Zuständig',
    priority: 'Priorität',
    tag: 'Schlagwörter',
    unread: 'Ungelesen',
    waiting: 'Wartet auf einen Menschen',
    has_draft: 'Mit meinem Entwurf',
    customer: 'Kundin oder Kunde',
    email: 'E-Mail',
    since: 'Begonnen nach',
    until: 'Begonnen vor',
    updated_since: 'Geändert seit',
    sla_state: 'SLA',
    feedback: 'Bewertung',
    q: 'Wörter',
  },
  slaStates: { in_compliance: 'Eingehalten', at_risk: 'Gefährdet', breached: 'Verfehlt' },
  ratings: { up: 'Hilfreich', down: 'Nicht hilfreich' },
  view: 'Ansicht',
  customerHint: 'Name, Adresse oder Nummer',
  clearFilters: 'Leeren',
  removeFilter: (name) => `Filter ${name} entfernen`,
  search: 'Unterhaltungen suchen',
  searchHint: 'Wörter, Namen, Schlagwörter, Notizen',
  searchHelp: 'from: tag: channel: is: before: after: "genaue Wörter" -ohne OR',
  closeSearch: 'Suche schließen',
  statuses: {
    open: 'Offen',
    claimed: 'Bei einem Menschen',
    escalated: 'Wartet auf einen Menschen',
    snoozed: 'Zurückgestellt',
    resolved: 'Erledigt',
    archived: 'Archiviert',
  },
  priorities: { urgent: 'Dringend', high: 'Hoch', normal: 'Normal', low: 'Niedrig' },
  me: 'Ich',
  nobody: 'Niemand',
  list: 'Unterhaltungen',
  anonymous: 'Besuch',
  anonymousOn: (channel) => `Besuch über ${channel}`,
  you: 'Sie',
  somebody: 'Jemand',
  assistant: 'Assistent',
  noMessage: 'Noch keine Nachricht',
  draft: 'Entwurf',
  isTyping: (name) => `${name} tippt…`,
  isWriting: (name) => `${name} schreibt…`,
  isLooking: (name) => `${name} schaut`,
  unreadMessages: (count) =>
    plural(count, { one: '# ungelesene Nachricht', other: '# ungelesene Nachrichten' }),
  waits: (time) => `wartet ${time}`,
  overdue: (time) => `${time} zu spät`,
  assignedTo: (name) => `zuständig: ${name}`,
  priorityIs: (name) => `Priorität: ${name}`,
  snoozedUntil: (time) => `Bis ${time}`,
  gone: 'Nicht mehr in dieser Ansicht',
  moreTags: (count) => `+${number(count)}`,
  minutes: (count) => `${number(count)} Min.`,
  hours: (count) => `${number(count)} Std.`,
  days: (count) => `${number(count)} T.`,
  now: 'jetzt',
  selectRow: (name) => `${name} auswählen`,
  loadingMore: 'Lädt weitere',
  end: 'Das sind alle.',
  bulk: {
    label: 'Ausgewählte Unterhaltungen',
    picked: (count) => `${number(count)} ausgewählt`,
    all: (count) => (count === null ? 'Alle Treffer' : `Alle ${number(count)} Treffer`),
    pickAll: (count) =>
      count === null ? 'Alle Treffer auswählen' : `Alle ${number(count)} Treffer auswählen`,
    clear: 'Auswahl aufheben',
    stop: 'Anhalten',
    unknown: 'Der Server hat nicht mitgeteilt, wie weit die Änderung kam. Die Liste zeigt, was erledigt ist.',
    stopped: (done, total) => `Nach ${number(done)} von ${number(total)} angehalten`,
    progress: (done, total) => `${number(done)} von ${number(total)}`,
    undoing: 'Wird zurückgenommen',
    waits: 'Beginnt in wenigen Sekunden',
  },
  actions: {
    resolve: 'Erledigen',
    resolveAndNext: 'Erledigen und weiter',
    reopen: 'Wieder öffnen',
    assign: 'Zuweisen',
    assignMe: 'Mir zuweisen',
    snooze: 'Zurückstellen',
    tags: 'Schlagwörter',
    priority: 'Priorität',
    delete: 'Löschen',
    read: 'Als gelesen markieren',
    unread: 'Als ungelesen markieren',
    toggleUnread: 'Ungelesen oder gelesen',
    pick: 'Auswählen',
    pickRange: 'Bis hierher auswählen',
    pickAll: 'Alle Treffer auswählen',
    next: 'Nächste Unterhaltung',
    previous: 'Vorige Unterhaltung',
    open: 'Unterhaltung öffnen',
    views: 'Zu den Ansichten',
    retry: 'Noch einmal versuchen',
    clear: 'Auswahl aufheben',
  },
  hints: {
    move: 'gehen',
    select: 'wählen',
    resolve: 'erledigen',
    keys: 'Tasten',
    views: 'Ansichten',
    answers: 'Kanäle',
  },
  did: (change) => {
    if (change.delete === true) return 'Nicht gelöscht';
    if (change.read === true) return 'Nicht als gelesen markiert';
    if (change.read === false) return 'Nicht als ungelesen markiert';
    if (change.status === 'snoozed') return 'Nicht zurückgestellt';
    if (change.status === 'resolved') return 'Nicht erledigt';
    if (change.status !== undefined) return 'Nicht geöffnet';
    if (change.assignee_id !== undefined) return 'Nicht zugewiesen';
    if (change.priority !== undefined) return 'Priorität nicht geändert';
    return 'Schlagwörter nicht geändert';
  },
  notDone: (what, why) => `${what}: ${why}`,
  notUndone: (why) => `Nicht zurückgenommen: ${why}`,
  unreachable: 'Der Server ist nicht erreichbar.',
  done: (change, count) => {
    const what = conversations(count);
    if (change.status === 'snoozed') return `${what} zurückgestellt`;
    if (change.status === 'resolved') return `${what} erledigt`;
    if (change.status !== undefined) return `${what} geöffnet`;
    if (change.assignee_id === null) return `${what} wieder in der Warteschlange`;
    if (change.assignee_id !== undefined) return `${what} zugewiesen`;
    if (change.priority !== undefined) return `Priorität geändert: ${what}`;
    return `Schlagwörter geändert: ${what}`;
  },
  doneOf: (change, { changing, all }) => {
    const done = inbox.done(change, changing);
    return change.status === 'resolved' && all > changing
      ? `${done}, ${alreadyResolved(all - changing)}`
      : done;
  },
  doing: (change, counts) => {
    const many = counts === null ? '' : ` ${number(counts.changing)}`;
    if (change.delete === true) return `Löscht${many}`;
    if (change.status === 'snoozed') return `Stellt${many} zurück`;
    if (change.status === 'resolved') {
      if (counts === null || counts.all === counts.changing) return `Erledigt${many}`;
      return `Erledigt${many} von ${number(counts.all)}, ${alreadyResolved(counts.all - counts.changing)}`;
    }
    if (change.status !== undefined) return `Öffnet${many} wieder`;
    if (change.assignee_id !== undefined) return `Weist${many} zu`;
    return `Ändert${many}`;
  },
  deleting: (count) =>
    plural(count, { one: '# Unterhaltung wird gelöscht', other: '# Unterhaltungen werden gelöscht' }),
  pick: {
    snooze: (name) => `Zurückstellen: ${name}`,
    assign: (name) => `Zuweisen: ${name}`,
    tags: (name) => `Schlagwörter: ${name}`,
    priority: (name) => `Priorität: ${name}`,
    many: conversations,
    snoozeHint: 'Wann sie zurückkommt…',
    assignHint: 'Name…',
    tagsHint: 'Schlagwort…',
    priorityHint: 'Priorität…',
    nothing: 'Kein Treffer',
    queue: 'Niemand, zurück in die Warteschlange',
    available: 'Verfügbar',
    away: 'Abwesend',
    open: (count) => `${number(count)} offen`,
    addTag: (tag) => `„${tag}“ hinzufügen`,
    laterToday: 'In 3 Stunden',
    oneHour: 'In einer Stunde',
    tomorrow: 'Morgen',
    weekend: 'Samstag',
    monday: 'Montag',
    nextWeek: 'In einer Woche',
    custom: 'Zu einer anderen Zeit',
    customTime: 'Tag und Uhrzeit',
    past: 'Wählen Sie eine Zeit, die noch kommt.',
    owners: 'Das ist für Eigentümer.',
  },
  empty: {
    waiting: 'Keine Unterhaltung wartet. Neue erscheinen hier von selbst.',
    view: 'In dieser Ansicht ist keine Unterhaltung.',
    matches: 'Keine Unterhaltung passt.',
    nobodyWaits: 'Niemand wartet',
    nobodyWaitsText: 'Neue Unterhaltungen erscheinen hier von selbst.',
    answeredToday: (count, low) => {
      const answered = plural(count, {
        one: 'Heute wurde # Frage beantwortet',
        other: 'Heute wurden # Fragen beantwortet',
      });
      return low === 0 ? `${answered}, alle mit Sicherheit` : `${answered}, ${low} mit niedriger Sicherheit`;
    },
    lookAtAll: 'Alle Unterhaltungen',
    mine: (count) =>
      plural(count, {
        one: '# deiner Unterhaltungen ist offen',
        other: '# deiner Unterhaltungen sind offen',
      }),
    snoozed: (name, time) => `${name} kommt zurück: ${time}`,
    isSnoozed: 'Zurückgestellt',
    look: 'Ansehen',
    showMine: 'Meine zeigen',
    choose: 'Wähle eine Unterhaltung',
    chooseText: 'J und K gehen durch die Liste.',
    first: 'Deine erste Unterhaltung',
    firstText: 'Schreibe als Besuch auf deine eigene Demoseite und antworte hier.',
    demo: 'An die Demoseite schreiben',
    noDemo: 'Einen Kanal verbinden',
    noDemoText: 'Verbinde einen Kanal, schreibe ihm als Besuch und antworte hier.',
    firstList: 'Noch keine Unterhaltung.',
  },
  right: 'Der Posteingang ist für Menschen, die antworten.',
  failed: 'Die Unterhaltungen wurden nicht geladen',
  stale:
    'Die Liste ist möglicherweise nicht aktuell: Sie konnte nicht gelesen werden. Es wird erneut versucht.',
  availability: {
    available: 'Verfügbar',
    away: 'Abwesend',
    hint: 'Wer verfügbar ist und das Dashboard offen hat, bekommt Unterhaltungen zugewiesen.',
    label: 'Verfügbar für neue Unterhaltungen',
  },
};
