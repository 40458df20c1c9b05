export const english = {
  title: 'New workspace',
  intro:
    'A workspace has documents, channels, conversations and settings of its own. Everybody who may see all workspaces of this company sees it.',
  right: 'Workspaces are made by owners who may see all workspaces of their company.',
  name: 'Name',
  nameText: 'Visitors see it as the name of who answers.',
  settings: 'Settings',
  settingsText: 'Copies the settings of another workspace: no documents, channels, keys or people.',
  fresh: 'As they are from the start',
  noneFound: 'No workspace has this name.',
  submit: 'Make the workspace',
};

export const german: typeof english = {
  title: 'Neuer Arbeitsbereich',
  intro:
    'Ein Arbeitsbereich hat eigene Dokumente, Kanäle, Gespräche und Einstellungen. Wer alle Arbeitsbereiche dieser Firma sehen darf, sieht auch ihn.',
  right: 'Arbeitsbereiche legen Inhaber an, die alle Arbeitsbereiche ihrer Firma sehen dürfen.',
  name: 'Name',
  nameText: 'Besucher sehen ihn als Namen dessen, der antwortet.',
  settings: 'Einstellungen',
  settingsText:
    'Übernimmt die Einstellungen eines anderen Arbeitsbereichs: keine Dokumente, Kanäle, Schlüssel oder Personen.',
  fresh: 'Wie sie am Anfang sind',
  noneFound: 'Kein Arbeitsbereich heißt so.',
  submit: 'Arbeitsbereich anlegen',
};
