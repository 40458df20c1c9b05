/** A question with a known answer. All questions were written before any of them was asked. */
export interface KnownQuestion {
  readonly question: string;
  /** Texts that the answer has to hold, ignoring case. None: it is to be refused. */
  readonly expect: readonly string[];
  /** The generator of the page, or the file. */
  readonly place: string;
  /** The property of the page or file for which the question was written. */
  readonly about: string;
}

const ask = (
  place: string,
  about: string,
  question: string,
  ...expect: readonly string[]
): KnownQuestion => ({ place, about, question, expect });

/** 28 questions about 8 generated sites, 18 about 18 files of 17 formats, and 4 without an answer. */
export const knownQuestions: readonly KnownQuestion[] = [
  ask('Docusaurus', 'paragraph', 'How much memory does the agent need?', '512 MB'),
  ask('Docusaurus', 'closed tab', 'How do I install the agent on macOS?', 'brew install ardent'),
  ask('Docusaurus', 'closed panel', 'What does exit code 9 mean?', 'licence file is older than the agent'),
  ask('Docusaurus', 'table', 'How many seats does the Oak plan have?', '75'),
  ask('Docusaurus', 'definition list', 'How many requests may be sent in a burst?', '300 requests'),
  ask('MkDocs', 'paragraph', 'How long does Quillon work without a network?', '14 days'),
  ask('MkDocs', 'closed panel', 'Can I extend the offline period?', '60 days'),
  ask('MkDocs', 'closed tab', 'Where is the cache mounted on a Linux server?', '/srv/quillon'),
  ask('MkDocs', 'definition list', 'What is the default of cache_size?', '250'),
  ask('GitBook', 'closed panel', 'Which hotels are allowed on a trip?', '140 euros'),
  ask('GitBook', 'hidden tab', 'How much is paid for each kilometre by car?', '38 cents'),
  ask('GitBook', 'paragraph', 'How many weeks of parental leave do both parents get?', '16 weeks'),
  ask('GitBook', 'list', 'At what rate are later weeks of parental leave paid?', '70 percent'),
  ask('WordPress', 'closed toggle', 'Can the driver carry it upstairs?', 'second floor', '18 pounds'),
  ask('WordPress', 'closed accordion', 'What happens if nobody is at home?', 'next working day'),
  ask('WordPress', 'table', 'When does the yard open on Saturday?', '8 to 13'),
  ask('WordPress', 'closed toggle', 'Who may use the lathe?', 'orange badge'),
  ask('WordPress', 'text of a picture', 'Where is the emergency stop?', 'door of bay 4'),
  ask('Zendesk Guide', 'paragraph', 'How long is the link to reset my password valid?', '25 minutes'),
  ask('Zendesk Guide', 'structured data', 'How long are invoices kept?', 'eleven years'),
  ask('Zendesk Guide', 'tab', 'How are columns split in a CSV export?', 'semicolons'),
  ask('Shopify', 'structured data', 'What does the bench vice 120 cost?', '84.5'),
  ask('Shopify', 'dialog', 'What does the plate of the bench vice measure?', '15 by 20 cm'),
  ask('Shopify', 'hidden tab', 'How long may an unused hand plane be returned?', '45 days'),
  ask('Notion export', 'toggle', 'Where do I park at Calder?', 'hall 6'),
  ask('Notion export', 'table', 'What is the pager number of the night desk?', '4471'),
  ask('table layout', 'table', 'Was kostet die Wartung eines Kessels bis 50 kW?', '164 Euro'),
  ask('table layout', 'paragraph', 'Was kostet die Stunde beim Notdienst nachts?', '96 Euro'),

  ask('harbour.pdf', 'left column', 'What do boats of up to 9 metres pay for a night?', '31 pounds'),
  ask('harbour.pdf', 'right column', 'When is diesel sold at pier C?', 'from 7 to 15'),
  ask('cranes.pdf', 'wrapped cells', 'Who inspects the gantry crane?', 'the insurer'),
  ask('member.pdf', 'form field', 'Which member number has Ida Blom?', 'MB-7731'),
  ask('pallets.xlsx', 'wide row', 'How many pallets did the Hull depot take in week 41?', '5041'),
  ask('pallets.xlsx', 'second sheet', 'Who is the contact for claims?', 'Rosa Lindqvist'),
  ask('coffee.csv', 'lines above the header', 'How much is coffee Monte Alto?', '17.80'),
  ask('schrauben.csv', 'semicolons', 'Was kostet die Schraube SR-77?', '4,35'),
  ask('lending.odt', 'text document', 'How long may a telescope be borrowed?', 'nine days'),
  ask('tariffs.ods', 'spreadsheet', 'What is the night tariff of zone 5?', '0.29'),
  ask('yield.ipynb', 'notebook', 'Which reactor had the highest yield?', 'reactor R-12'),
  ask('crates.yaml', 'OpenAPI', 'Which scope does deleting a crate need?', 'crates:destroy'),
  ask('safety.docx', 'Word table', 'Which extinguisher hangs in the paint store?', 'carbon dioxide'),
  ask('strategy.pptx', 'speaker notes', 'By when does the Porto branch break even?', 'autumn 2028'),
  ask(
    'warranty.eml',
    'mail without a version',
    'How long is the warranty of the Kestrel drill?',
    '42 months',
  ),
  ask('relay.rst', 'reStructuredText', 'Which voltage does the relay board accept?', '24 volts'),
  ask('mixer.adoc', 'AsciiDoc', 'How often is the mixer greased?', '80 hours'),
  ask('limits.json', 'JSON', 'What is the largest upload of the archive service?', '640'),

  ask('none', 'not there', 'What is the capital of Mongolia?'),
  ask('none', 'a plan that does not exist', 'How many seats does the Willow plan have?'),
  ask('none', 'another place', 'When is diesel sold at pier F?'),
  ask('none', 'another person', 'How many weeks of leave do grandparents get?'),
];
