import type { Catalogue } from '../../english.ts';

/** `kind.field` where a kind of channel has words of its own, otherwise `field`. */
export const channelFields: Catalogue['channelFields'] = {
  enabled: {
    title: 'Eingeschaltet',
    description: 'Ob der Kanal Ereignisse annimmt und Antworten sendet.',
  },
  api_base_url: {
    title: 'Adresse der API',
    description: 'Etwa ein regionaler Host, ein eigener Server oder ein Proxy.',
  },
  verify: {
    title: 'Zugangsdaten prüfen',
    description: 'Ob die Plattform die Zugangsdaten prüft, bevor sie gespeichert werden. Standard: ja.',
  },
  pace: {
    title: 'Tempo anpassen',
    description:
      'Ob Nachrichten die Grenzen der Plattform einhalten. Standard: ja. Nein nur für einen eigenen Server ohne Grenzen.',
  },
  account_sid: {
    title: 'Account SID',
    description: 'SID des Twilio-Kontos oder des Unterkontos, dem die Nummer gehört.',
  },
  auth_token: {
    title: 'Auth Token',
    description: 'Auth Token des Kontos. Es berechtigt zu Aufrufen der API und prüft Webhooks.',
  },
  from: {
    title: 'Nummer',
    description:
      'Nummer, die Besucher anschreiben oder anrufen, etwa +15551234567, oder die SID eines Messaging Service.',
  },
  title: {
    title: 'Titel',
    description: 'Titel über dem Gespräch. Standard: der Name des Arbeitsbereichs.',
  },
  greeting: {
    title: 'Begrüßung',
    description: 'Erste Nachricht des Gesprächs. Standard: eine Begrüßung in der Sprache des Besuchers.',
  },
  colour: {
    title: 'Farbe',
    description: 'Farbe der Knöpfe und der Nachrichten des Besuchers, etwa #3654d6.',
  },
  logo_url: { title: 'Adresse des Logos', description: 'Die https-Adresse eines quadratischen Bildes.' },
  suggestions: {
    title: 'Vorgeschlagene Fragen',
    description: 'Als Knöpfe gezeigt. Höchstens sechs.',
  },
  choice_at_start: {
    title: 'Wahl am Anfang',
    description: 'Ob Besucher zwischen Assistent und Mensch wählen, bevor sie schreiben.',
  },
  attachments: {
    title: 'Anhänge',
    description: 'Ob Besucher Bilder, PDF- und Textdateien anhängen dürfen.',
  },
  theme: {
    title: 'Farbschema',
    description: 'Standard: das des Besuchers.',
    options: { auto: 'Wie beim Besucher', light: 'Hell', dark: 'Dunkel' },
  },
  'slack.bot_token': {
    title: 'Bot-Token',
    description:
      'Das OAuth-Token des Bots (xoxb-…). Entbehrlich für eine App, die Teams per OAuth installieren.',
  },
  'slack.signing_secret': {
    title: 'Signing Secret',
    description: 'Das Signing Secret der App. Slack unterschreibt damit seine Anfragen.',
  },
  'slack.app_token': {
    title: 'App-Token',
    description: 'Ein Token der App (xapp-…) mit connections:write, für den Socket-Modus.',
  },
  'slack.client_id': {
    title: 'Client-ID',
    description: 'Die Client-ID der App, für die Installation per OAuth.',
  },
  'slack.client_secret': {
    title: 'Client-Secret',
    description: 'Das Client-Secret der App, für die Installation per OAuth.',
  },
  'slack.mode': {
    title: 'Empfang',
    description:
      'Wie Ereignisse ankommen: durch Webhooks von Slack oder durch einen Socket, der mit app_token geöffnet wird. Standard: Webhooks, ohne signing_secret der Socket.',
    options: { events: 'Webhooks', socket: 'Socket' },
  },
  'slack.direct_messages': {
    title: 'Direktnachrichten',
    description: 'Ob eine Direktnachricht ein Gespräch ist oder jeder ihrer Threads eines.',
    options: { one: 'Ein Gespräch', threads: 'Ein Gespräch je Thread' },
  },
  'slack.earlier_messages': {
    title: 'Frühere Nachrichten',
    description:
      'Wie viele frühere Nachrichten gelesen werden, wenn ein Besucher die App in einem Thread erwähnt.',
  },
  'slack.streaming': {
    title: 'Antwort beim Entstehen zeigen',
    description: 'Ob Antworten gezeigt werden, während sie entstehen.',
  },
  'slack.prompts': {
    title: 'Vorgeschlagene Fragen',
    description: 'Gezeigt, wenn ein Besucher eine Direktnachricht öffnet; höchstens vier.',
  },
  'slack.message': { title: 'Frage', description: 'Die Frage, die gestellt wird.' },
  'slack.statuses': {
    title: 'Zwischenstände',
    description: 'Werden nacheinander gezeigt, während eine Antwort entsteht.',
  },
  'slack.team_id': {
    title: 'Team',
    description:
      'Das Team oder die Organisation, die die App per OAuth installiert hat. Die Installation setzt es.',
  },
  'discord.bot_token': {
    title: 'Bot-Token',
    description: 'Das Token des Bots, von der Seite „Bot“ der Anwendung.',
  },
  'discord.application_id': {
    title: 'Anwendungs-ID',
    description: 'Die Anwendungs-ID, von der Seite „General Information“.',
  },
  'discord.public_key': {
    title: 'Öffentlicher Schlüssel',
    description: 'Von derselben Seite. Er prüft die Unterschriften von Interaktionen.',
  },
  'discord.mode': {
    title: 'Empfang',
    description:
      'Wie Ereignisse ankommen: durch eine Verbindung, die Parley offen hält, oder durch Webhooks, die nur Befehle und Knöpfe melden.',
    options: { gateway: 'Gateway', interactions: 'Webhooks' },
  },
  'discord.guild_id': {
    title: 'Server',
    description: 'Der einzige Server dieses Kanals, wenn ein Bot mehreren Arbeitsbereichen dient.',
  },
  'discord.threads': {
    title: 'Threads öffnen',
    description: 'Ob eine Frage in einem Textkanal in einem neuen Thread beantwortet wird. Standard: ja.',
  },
  'discord.private_answers': {
    title: 'Private Antworten',
    description:
      'Ob die Antwort auf einen Befehl nur für den sichtbar ist, der ihn gab, solange Discord das erlaubt. Standard: nein.',
  },
  'discord.buttons': {
    title: 'Knöpfe',
    description: 'Ob Antworten Knöpfe für Feedback und für einen Menschen haben. Standard: ja.',
  },
  'telegram.bot_token': { title: 'Bot-Token', description: 'Das Token des Bots von BotFather.' },
  'telegram.mode': {
    title: 'Empfang',
    description:
      'Wie Nachrichten ankommen. Standard: Webhooks, wenn Telegram diese Installation erreicht, sonst Abfragen.',
    options: { webhook: 'Webhook', polling: 'Abfragen' },
  },
  'telegram.buttons': {
    title: 'Knöpfe',
    description: 'Ob Antworten Knöpfe für 👍, 👎 und einen Menschen haben. Standard: ja.',
  },
  'telegram.streaming': {
    title: 'Antwort beim Entstehen zeigen',
    description:
      'Ob Antworten eines Sprachmodells in privaten Chats gezeigt werden, während sie entstehen. Standard: nein.',
  },
  'telegram.max_connections': {
    title: 'Gleichzeitige Webhooks',
    description: 'Die Zahl gleichzeitiger Webhook-Anfragen von Telegram. Standard: 40.',
  },
  'whatsapp.templates': {
    title: 'Vorlagen',
    description: 'Vorlagen, die jederzeit gesendet werden dürfen.',
  },
  'voice.language': {
    title: 'Sprache',
    description: 'Sprache des Anrufs, etwa de-DE. Standard: en-US.',
  },
  'voice.voice': {
    title: 'Stimme',
    description:
      'Etwa Polly.Joanna-Neural. Mit ConversationRelay eine Stimme aus dessen Listen. Standard: Twilios Stimme für die Sprache.',
  },
  'voice.greeting': {
    title: 'Begrüßung',
    description: 'Erster Satz eines Anrufs. Standard: eine Begrüßung in der Sprache des Anrufs.',
  },
  'voice.hints': {
    title: 'Namen und Begriffe',
    description: 'Für die Spracherkennung, durch Kommas getrennt.',
  },
  'voice.transfer_to': {
    title: 'Weiterleiten an',
    description:
      'Nummer, die gewählt wird, wenn ein Anrufer einen Menschen verlangt. Ohne sie hört er, dass jemand zurückruft.',
  },
  'voice.relay': {
    title: 'ConversationRelay',
    description: 'Ob Twilios ConversationRelay Antworten spricht, während sie entstehen.',
  },
  'email.imap': { title: 'Eingehende Mail (IMAP)', description: 'IMAP-Server, der Mail empfängt.' },
  'email.smtp': { title: 'Ausgehende Mail (SMTP)', description: 'SMTP-Server, der Mail sendet.' },
  'email.from': {
    title: 'Adresse',
    description: 'Adresse, an die Besucher schreiben, und Absender der Antworten.',
  },
  'email.name': { title: 'Absendername', description: 'Name des Absenders in Antworten.' },
  'email.mailbox': { title: 'Ordner', description: 'Ordner, der gelesen wird.' },
  'email.aliases': {
    title: 'Weitere Adressen',
    description: 'Weitere Adressen desselben Postfachs. Mail von ihnen gilt als vom Postfach gesendet.',
  },
  'email.colleagues': {
    title: 'Team',
    description:
      'Adressen oder @domain des Teams. Deren Mails in einem Verlauf sind Antworten eines Menschen.',
  },
  'email.plus_addressing': {
    title: 'Plus-Adressen',
    description:
      'Ob Mail an name+beliebig@domain das Postfach erreicht. Damit werden Antworten ihrem Verlauf zugeordnet.',
  },
  'email.authserv_id': {
    title: 'Name des Prüfers',
    description:
      'Name, den Ihr Mailanbieter in Authentication-Results schreibt. Nur diese Kopfzeilen weisen einen Absender nach.',
  },
  'email.mark_seen': {
    title: 'Als gelesen markieren',
    description: 'Ob eine Mail nach dem Empfang als gelesen gilt.',
  },
  'email.quote': { title: 'Zitieren', description: 'Ob eine Antwort die Mail des Besuchers zitiert.' },
  'email.max_bytes': {
    title: 'Größte Mail (Bytes)',
    description: 'Von einer größeren Mail werden nur Kopfzeilen und Text gelesen.',
  },
  'email.sends_per_minute': {
    title: 'Mails je Minute',
    description: 'Wie viele der SMTP-Server von einem Postfach annimmt. 30 bei Google und Microsoft.',
  },
  'intercom.access_token': {
    title: 'Access Token',
    description: 'Das Access Token der App, unter Configure > Authentication im Developer Hub.',
  },
  'intercom.client_secret': {
    title: 'Client-Secret',
    description:
      'Das Client-Secret der App, unter Configure > Basic information. Intercom unterschreibt damit seine Meldungen.',
  },
  'intercom.client_id': {
    title: 'Client-ID',
    description:
      'Die Client-ID der App. Nur nötig, wenn andere Arbeitsbereiche die App per OAuth installieren.',
  },
  'intercom.admin_id': {
    title: 'Teammitglied des Bots',
    description:
      'Die ID des Teammitglieds, als das der Bot antwortet. Niemand sonst darf damit arbeiten. Standard: wem das Token gehört.',
  },
  'intercom.region': {
    title: 'Region',
    description: 'Die Region, in der der Workspace liegt.',
    options: { us: 'USA', eu: 'Europa', au: 'Australien' },
  },
  'intercom.app_id': {
    title: 'Workspace-ID',
    description: 'Standard: der Workspace des Tokens.',
  },
  'intercom.handover_to': {
    title: 'Übergabe an',
    description:
      'Wem ein Gespräch zugewiesen wird, das einen Menschen braucht: `unassigned`, `team:ID` oder `admin:ID`.',
  },
  'intercom.handover_note': {
    title: 'Notiz bei Übergabe',
    description: 'Ob eine Übergabe dem Gespräch eine Notiz für das Team beifügt.',
  },
  'intercom.person_button': {
    title: 'Text des Knopfs',
    description: 'Des Knopfs, der einen Menschen ruft. Standard: ein Text in der Sprache des Besuchers.',
  },
  'intercom.buttons': {
    title: 'Knopf',
    description: 'Ob Antworten einen Knopf haben, der einen Menschen ruft.',
  },
  'intercom.skip_notifications': {
    title: 'Ohne Benachrichtigung',
    description: 'Ob Antworten dem Kontakt weder Mail noch Push-Nachricht senden.',
  },
  'intercom.silence_hours': {
    title: 'Stille (Stunden)',
    description: 'Nach so vielen Stunden ohne Meldung gilt der Kanal als verstummt.',
  },
  'widget.position': {
    title: 'Seite',
    description: 'Rand der Seite, an dem der Knopf ist. Standard: rechts.',
    options: { left: 'Links', right: 'Rechts' },
  },
  'widget.allowed_domains': {
    title: 'Domains',
    description: 'Domains, deren Seiten das Widget zeigen dürfen. Standard: die des Arbeitsbereichs.',
  },
  'hosted.slug': {
    title: 'Adresse',
    description: 'Letzter Teil der Adresse, /c/{slug}. Einmalig in der Installation.',
  },
  'hosted.noindex': {
    title: 'Nicht in Suchmaschinen',
    description: 'Ob Suchmaschinen gebeten werden, die Seite nicht aufzunehmen.',
  },
  'email.host': { title: 'Host', description: 'Name des Servers.' },
  'email.port': { title: 'Port', description: 'Meist 993 für IMAP und 465 oder 587 für SMTP.' },
  'email.secure': {
    title: 'Verschlüsselung verlangen',
    description: 'Wenn nicht, wird nur verschlüsselt, wenn der Server es anbietet.',
  },
  'email.user': { title: 'Benutzername', description: 'Meist die Adresse des Postfachs.' },
  'email.pass': { title: 'Passwort', description: 'Passwort oder App-Passwort.' },
  'email.oauth': { title: 'OAuth', description: 'OAuth 2.0 statt eines Passworts.' },
  'email.client_id': {
    title: 'Client-ID',
    description: 'Der Anwendung, die beim Anbieter registriert ist.',
  },
  'email.client_secret': {
    title: 'Client-Secret',
    description: 'Der Anwendung, wenn sie eines hat.',
  },
  'email.refresh_token': {
    title: 'Refresh Token',
    description: 'Wem das Postfach gehört. Ohne es wird der Client-Credentials-Grant benutzt.',
  },
  'email.token_url': {
    title: 'Token-Adresse',
    description: 'Beim Anbieter, etwa https://oauth2.googleapis.com/token von Google.',
  },
  'email.scope': { title: 'Scope', description: 'Wenn der Anbieter einen verlangt.' },
  'whatsapp.reply': {
    title: 'Antwort',
    description: 'Vorlage statt einer Antwort, die mehr als 24 Stunden zu spät ist.',
  },
  'whatsapp.content_sid': {
    title: 'Content SID',
    description: 'SID einer Vorlage, die WhatsApp genehmigt hat.',
  },
  'whatsapp.variables': {
    title: 'Variablen',
    description: 'Der Vorlage, nach Namen. {text} steht für den Text der Antwort. Standard: {"1": "{text}"}.',
  },
};
