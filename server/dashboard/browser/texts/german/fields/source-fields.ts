import type { Catalogue } from '../../english.ts';

/** `kind.field` where a kind of source has words of its own, otherwise `field`. */
export const sourceFields: Catalogue['sourceFields'] = {
  attachments: {
    title: 'Anhänge lesen',
    description: 'Ob auch die angehängten Dateien gelesen werden, jede als eigenes Dokument.',
  },
  'zendesk.attachments': {
    title: 'Anhänge lesen',
    description:
      'Ob auch die angehängten Dateien gelesen werden, jede als eigenes Dokument. Das kostet eine Anfrage mehr für jeden geänderten Artikel.',
  },
  'folder.path': {
    title: 'Ordner',
    description: 'Der absolute Pfad des Ordners auf dem Server, in einem Ordner, den der Betrieb erlaubt.',
  },
  'website.url': {
    title: 'Adresse',
    description: 'Wo es losgeht: die erste Seite, eine Sitemap, ein Feed (RSS oder Atom) oder eine llms.txt.',
  },
  'website.follow': {
    title: 'Wie Seiten gefunden werden',
    description:
      'Von selbst: durch die Sitemap, die Feeds und die Links ihrer Seiten, ohne Sitemap durch Links. Nur Sitemap: Seiten, die sie nicht mehr nennt, werden entfernt.',
    options: { auto: 'Von selbst', sitemap: 'Nur Sitemap', links: 'Durch Links' },
  },
  'website.scope': {
    title: 'Nur unter diesem Pfad',
    description:
      'Ein Muster wie /help/**. Leer: der Pfad der Adresse und alles darunter. /** liest die ganze Website.',
  },
  'website.read_unlisted': {
    title: 'Auch Seiten lesen, die in keiner Liste stehen',
    description:
      'Seiten, die weder die Sitemap noch ein Feed nennt, auf die aber eine Seite daraus verweist.',
  },
  'website.username': {
    title: 'Benutzername',
    description: 'Wenn die Website danach fragt, bevor sie eine Seite zeigt.',
  },
  'website.password': { title: 'Passwort', description: 'Das Passwort dazu.' },
  'website.headers': {
    title: 'Kopfzeilen der Anfragen',
    description:
      'Zum Beispiel Authorization: Bearer … Sie werden verschlüsselt und nur an den Host der Adresse gesendet.',
  },
  'website.max_depth': {
    title: 'Höchste Tiefe',
    description: 'Wie viele Links eine Seite vom Anfang entfernt sein darf. 0 liest nur die erste Seite.',
  },
  'website.requests_per_second': {
    title: 'Anfragen je Sekunde',
    description: 'Wie schnell die Website gelesen wird. Ihre robots.txt kann weniger verlangen.',
  },
  'website.prefer_markdown': {
    title: 'Markdown bevorzugen',
    description: 'Ob die Markdown-Fassung einer Seite gelesen wird, wenn die Website eine anbietet.',
  },
  'website.include_subdomains': {
    title: 'Mit Subdomains',
    description: 'Ob Seiten von Subdomains dazugehören, etwa docs.example.com zu example.com.',
  },
  'notion.only_public': {
    title: 'Nur veröffentlichte Seiten',
    description:
      'Nur Seiten, die im Web veröffentlicht sind, damit Antworten auf Seiten führen, die Besucher öffnen können.',
  },
  'notion.token': {
    title: 'Token',
    description:
      'Das Geheimnis einer internen Integration, die Inhalte lesen darf, von notion.so/profile/integrations. Sie liest die Seiten, die mit ihr geteilt sind.',
  },
  'confluence.site': {
    title: 'Adresse',
    description:
      'Die Adresse von Confluence: https://acme.atlassian.net/wiki oder die eines eigenen Servers.',
  },
  'confluence.spaces': {
    title: 'Bereiche',
    description: 'Die Schlüssel der Bereiche, etwa HELP: Sie stehen in den Einstellungen eines Bereichs.',
  },
  'confluence.restricted': {
    title: 'Beschränkte Seiten',
    description: 'Seiten, die nur einige sehen dürfen oder die unter einer solchen stehen.',
    options: { leave_out: 'Auslassen', include: 'Wie alle anderen lesen' },
  },
  'confluence.email': {
    title: 'E-Mail',
    description: 'Confluence Cloud: die Adresse des Kontos, dem das Token gehört. Eigener Server: leer.',
  },
  'confluence.token': {
    title: 'Token',
    description:
      'Confluence Cloud: ein API-Token ohne Scopes von id.atlassian.com > Security > API tokens. Eigener Server: ein persönliches Zugriffstoken. Es liest, was sein Konto sehen darf.',
  },
  'confluence.blog_posts': {
    title: 'Blogbeiträge lesen',
    description: 'Ob auch die Blogbeiträge der Bereiche gelesen werden.',
  },
  'github.repository': {
    title: 'Repository',
    description: 'Das Repository als owner/name.',
  },
  'github.files': {
    title: 'Dateien lesen',
    description:
      'Ob die Dokumentation des Repositorys gelesen wird: Markdown, reStructuredText, AsciiDoc, Notebooks und Beschreibungen von APIs.',
  },
  'github.branch': {
    title: 'Branch',
    description: 'Leer: der Standard-Branch des Repositorys.',
  },
  'github.folder': {
    title: 'Ordner',
    description: 'Nur Dateien unter diesem Ordner, etwa docs. Leer: das ganze Repository.',
  },
  'github.issues': {
    title: 'Issues',
    description: 'Issues mit ihren Kommentaren.',
    options: { none: 'Keine', closed: 'Geschlossene', all: 'Alle' },
  },
  'github.discussions': {
    title: 'Diskussionen',
    description: 'Diskussionen mit ihren Kommentaren. Dafür ist ein Token nötig.',
    options: { none: 'Keine', answered: 'Mit angenommener Antwort', all: 'Alle' },
  },
  'github.server': {
    title: 'Server',
    description: 'Nur für GitHub Enterprise Server: seine Adresse.',
  },
  'github.token': {
    title: 'Token',
    description:
      'Ein Fine-grained personal access token, das die Inhalte (und gewählte Issues und Diskussionen) des Repositorys lesen darf: GitHub > Settings > Developer settings. Ohne es werden öffentliche Repositorys langsam gelesen.',
  },
  'gitlab.project': {
    title: 'Projekt',
    description: 'Das Projekt wie in seiner Adresse: gruppe/projekt oder gruppe/untergruppe/projekt.',
  },
  'gitlab.files': {
    title: 'Dateien lesen',
    description:
      'Ob die Dokumentation des Repositorys gelesen wird: Markdown, reStructuredText, AsciiDoc, Notebooks und Beschreibungen von APIs.',
  },
  'gitlab.branch': {
    title: 'Branch',
    description: 'Leer: der Standard-Branch des Projekts.',
  },
  'gitlab.folder': {
    title: 'Ordner',
    description: 'Nur Dateien unter diesem Ordner, etwa docs. Leer: das ganze Repository.',
  },
  'gitlab.issues': {
    title: 'Issues',
    description: 'Issues mit ihren Kommentaren. Vertrauliche Issues und interne Notizen werden nie gelesen.',
    options: { none: 'Keine', closed: 'Geschlossene', all: 'Alle' },
  },
  'gitlab.server': {
    title: 'Server',
    description: 'Die Adresse eines eigenen GitLab.',
  },
  'gitlab.token': {
    title: 'Token',
    description:
      'Ein Project access token mit der Rolle Reporter und dem Scope read_api, unter Settings > Access tokens des Projekts. Öffentliche Projekte brauchen keines.',
  },
  'google_drive.folder_id': {
    title: 'Ordner',
    description:
      'Der letzte Teil der Adresse des Ordners oder der geteilten Ablage. Ordner darin werden mitgelesen, auch das, worauf Verknüpfungen zeigen.',
  },
  'google_drive.service_account': {
    title: 'Dienstkonto',
    description:
      'Die JSON-Datei mit dem Schlüssel eines Dienstkontos: Google Cloud console > IAM and admin > Service accounts > Keys. Der Ordner muss mit seiner Adresse geteilt sein.',
  },
  'zendesk.subdomain': {
    title: 'Subdomain',
    description: 'Der erste Teil eurer Zendesk-Adresse: acme für acme.zendesk.com.',
  },
  'zendesk.locale': {
    title: 'Sprache',
    description:
      'Die Sprache der Artikel, etwa en-us oder de. Leer: die Sprache, in der ein Artikel zuerst geschrieben wurde. Jede weitere Sprache ist eine eigene Quelle.',
  },
  'zendesk.restricted': {
    title: 'Beschränkte Artikel',
    description:
      'Artikel, die nur ein Nutzersegment sehen darf. Als Zielgruppe: mit dem Kennzeichen zendesk_segment_ und der Nummer des Segments.',
    options: { leave_out: 'Auslassen', audience: 'Als Zielgruppe', include: 'Wie alle anderen lesen' },
  },
  'zendesk.email': {
    title: 'E-Mail',
    description: 'Die Adresse der Person, der das API-Token gehört. Die Quelle liest, was sie sieht.',
  },
  'zendesk.api_token': {
    title: 'API-Token',
    description: 'Aus dem Admin Center > Apps and integrations > APIs > API tokens.',
  },
  'intercom.region': {
    title: 'Region',
    description: 'Wo euer Workspace liegt: Settings > Workspace > General.',
    options: { us: 'USA', eu: 'Europa', au: 'Australien' },
  },
  'intercom.translations': {
    title: 'Übersetzungen',
    description: 'Ob auch die veröffentlichten Übersetzungen gelesen werden, jede als eigenes Dokument.',
  },
  'intercom.access_token': {
    title: 'Access Token',
    description:
      'Das Access Token einer App, die Artikel lesen und auflisten darf: Intercom > Settings > Integrations > Developer hub > App > Authentication.',
  },
  's3.bucket': {
    title: 'Bucket',
    description: 'Der Name des Buckets.',
  },
  's3.region': {
    title: 'Region',
    description: 'Die Region des Buckets, etwa eu-central-1. Für Cloudflare R2: auto.',
  },
  's3.prefix': {
    title: 'Präfix',
    description: 'Nur Objekte, deren Schlüssel so beginnt, etwa manuals/. Leer: der ganze Bucket.',
  },
  's3.endpoint': {
    title: 'Endpunkt',
    description:
      'Nur für einen anderen Speicher als Amazon S3 (MinIO, Cloudflare R2, Hetzner): seine Adresse, ohne den Bucket.',
  },
  's3.public_address': {
    title: 'Öffentliche Adresse',
    description:
      'Wo Besucher die Objekte finden: Der Schlüssel eines Objekts wird angehängt. Leer: Antworten verlinken sie nicht.',
  },
  's3.access_key_id': {
    title: 'Access Key ID',
    description:
      'Der Schlüssel eines Nutzers, der den Bucket auflisten und seine Objekte lesen darf: s3:ListBucket, s3:GetObject.',
  },
  's3.secret_access_key': {
    title: 'Secret Access Key',
    description: 'Das Geheimnis des Schlüssels. AWS zeigt es einmal.',
  },
  'sharepoint.site': {
    title: 'Website',
    description: 'SharePoint: die Adresse der Website, etwa https://acme.sharepoint.com/sites/help.',
  },
  'sharepoint.library': {
    title: 'Bibliothek',
    description: 'SharePoint: der Name der Dokumentbibliothek, etwa Dokumente. Leer: alle der Website.',
  },
  'sharepoint.user': {
    title: 'Person',
    description:
      'OneDrive: der Anmeldename der Person, deren Dateien gelesen werden, an Stelle einer Website.',
  },
  'sharepoint.tenant_id': {
    title: 'Verzeichnis-ID',
    description: 'Die Verzeichnis-ID (Mandant) der App-Registrierung in Microsoft Entra.',
  },
  'sharepoint.client_id': {
    title: 'Anwendungs-ID',
    description: 'Die Anwendungs-ID (Client) der App-Registrierung.',
  },
  'sharepoint.client_secret': {
    title: 'Geheimer Clientschlüssel',
    description:
      'Ein geheimer Clientschlüssel der App-Registrierung. Die App braucht die Anwendungsberechtigung Files.Read.All, oder Sites.Selected mit dem Recht auf die Website.',
  },
  'freshdesk.subdomain': {
    title: 'Subdomain',
    description: 'Der erste Teil eurer Freshdesk-Adresse: acme für acme.freshdesk.com.',
  },
  'freshdesk.language': {
    title: 'Sprache',
    description:
      'Die Sprache der Artikel, etwa de. Leer: die Hauptsprache eures Helpdesks. Jede weitere Sprache ist eine eigene Quelle.',
  },
  'freshdesk.restricted': {
    title: 'Beschränkte Artikel',
    description: 'Artikel in Ordnern, die nicht alle sehen dürfen.',
    options: { leave_out: 'Auslassen', include: 'Wie alle anderen lesen' },
  },
  'freshdesk.api_key_token': {
    title: 'API-Schlüssel',
    description:
      'Der API-Schlüssel einer Person, aus Profile settings > View API key. Die Quelle liest, was sie sieht.',
  },
  'hubspot.language': {
    title: 'Sprache',
    description: 'Nur Beiträge in dieser Sprache, etwa de. Leer: alle Sprachen.',
  },
  'hubspot.access_token': {
    title: 'Access Token',
    description:
      'Das Access Token einer privaten App mit dem Scope content: HubSpot > Settings > Integrations > Private apps.',
  },
  'jira.site': {
    title: 'Adresse',
    description: 'Die Adresse von Jira: https://acme.atlassian.net oder die eines eigenen Servers.',
  },
  'jira.projects': {
    title: 'Projekte',
    description: 'Die Schlüssel der Projekte, etwa HELP: der erste Teil der Schlüssel von Vorgängen.',
  },
  'jira.query': {
    title: 'JQL',
    description: 'Nur Vorgänge, die diese JQL findet, etwa labels = faq. Leer: alle.',
  },
  'jira.comments': {
    title: 'Kommentare lesen',
    description:
      'Ob Kommentare mitgelesen werden. Interne, und solche für eine Gruppe oder Rolle, werden nie gelesen.',
  },
  'jira.restricted': {
    title: 'Beschränkte Vorgänge',
    description: 'Vorgänge mit einer Sicherheitsstufe.',
    options: { leave_out: 'Auslassen', include: 'Wie alle anderen lesen' },
  },
  'jira.email': {
    title: 'E-Mail',
    description: 'Jira Cloud: die Adresse des Kontos, dem das Token gehört. Eigener Server: leer.',
  },
  'jira.token': {
    title: 'Token',
    description:
      'Jira Cloud: ein API-Token ohne Scopes von id.atlassian.com > Security > API tokens. Eigener Server: ein persönliches Zugriffstoken. Es liest, was sein Konto sehen darf.',
  },
  'discourse.site': {
    title: 'Adresse',
    description: 'Die Adresse des Forums, etwa https://forum.acme.example.',
  },
  'discourse.topics': {
    title: 'Themen',
    description: 'Nur Themen mit angenommener Antwort, oder alle.',
    options: { solved: 'Mit angenommener Antwort', all: 'Alle' },
  },
  'discourse.category_ids': {
    title: 'Kategorien',
    description: 'Nur Themen dieser Kategorien: die Zahlen am Ende ihrer Adressen. Leer: alle.',
  },
  'discourse.api_token': {
    title: 'API-Schlüssel',
    description:
      'Ein API-Schlüssel mit dem Scope topics: read, aus Admin > Advanced > API keys. Ohne ihn wird gelesen, was alle sehen dürfen.',
  },
  'discourse.username': {
    title: 'Benutzername',
    description: 'Die Person, für die der API-Schlüssel handelt. Die Quelle liest, was sie sieht.',
  },
  'openapi.url': {
    title: 'Adresse',
    description: 'Die Adresse der Beschreibung, als JSON oder YAML.',
  },
  'openapi.public_address': {
    title: 'Öffentliche Adresse',
    description: 'Die Seite, auf der Leser die Referenz finden. Leer: Antworten führen zur Beschreibung.',
  },
  'openapi.token': {
    title: 'Token',
    description: 'Ein Bearer-Token, wenn die Beschreibung nicht öffentlich ist.',
  },
  'loader.module': {
    title: 'Modul',
    description: 'Das Modul des Loaders: eines von denen, die der Betrieb in SOURCE_LOADERS nennt.',
  },
  'loader.loader': {
    title: 'Klasse',
    description: 'Der Name der Klasse, etwa SitemapLoader. Leer: die erste, die das Modul exportiert.',
  },
  'loader.arguments': {
    title: 'Argumente',
    description: 'Die Argumente der Klasse als JSON-Liste, etwa ["https://acme.example/sitemap.xml"].',
  },
  'loader.secret_options': {
    title: 'Geheime Optionen',
    description: 'Ein JSON-Objekt mit Geheimnissen, das an das letzte Argument angefügt wird.',
  },
};
