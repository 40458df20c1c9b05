import { type CSSVariablesResolver, createTheme, rem } from '@mantine/core';

interface Sized {
  readonly size?: string;
}

const sans = "'Inter Variable', system-ui, sans-serif";
const mono = "'Geist Mono Variable', ui-monospace, monospace";

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  colors: {
    petrol: [
      '#EAF6F7',
      '#D3EBED',
      '#A8D7DB',
      '#79C1C7',
      '#4FAAB2',
      '#2E929C',
      '#197D88',
      '#0E6872',
      '#0A545D',
      '#073F46',
    ],
    gray: [
      '#F7F8F9',
      '#F0F2F4',
      '#E5E8EB',
      '#D6DADF',
      '#B8BFC7',
      '#8A939E',
      '#606A76',
      '#4A535E',
      '#2D343C',
      '#171B20',
    ],
    dark: [
      '#E9ECEF',
      '#C5CBD2',
      '#9BA4AE',
      '#6B7580',
      '#3A424B',
      '#262C32',
      '#20252B',
      '#171B1F',
      '#111417',
      '#0B0D0F',
    ],
  },
  white: '#FFFFFF',
  black: '#171B20',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(15), xl: rem(20) },
  lineHeights: { xs: '1.3333', sm: '1.5385', md: '1.4286', lg: '1.3333', xl: '1.4' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(15), lineHeight: rem(20) },
      h2: { fontSize: rem(14), lineHeight: rem(20) },
      h3: { fontSize: rem(13), lineHeight: rem(20) },
    },
  },
  spacing: { xs: rem(4), sm: rem(8), md: rem(12), lg: rem(16), xl: rem(24) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(12), xl: rem(32) },
  defaultRadius: 'sm',
  shadows: {
    xs: 'var(--p-shadow-xs)',
    sm: 'var(--p-shadow-sm)',
    md: 'var(--p-shadow-sm)',
    lg: 'var(--p-shadow-lg)',
    xl: 'var(--p-shadow-lg)',
  },
  breakpoints: { xs: '22.5em', sm: '48em', md: '68.75em', lg: '80em', xl: '100em' },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  autoContrast: true,
  // By their names alone: the components would come with every first load.
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      vars: (_theme: unknown, { size }: Sized) => ({
        root: {
          '--button-height': `var(--p-control-${size ?? 'sm'}, var(--p-control-sm))`,
          '--button-padding-x': rem(size === 'xs' ? 10 : size === 'md' ? 16 : 12),
          '--button-fz': rem(size === 'xs' ? 12 : size === 'md' ? 14 : 13),
        },
      }),
    },
    ActionIcon: {
      defaultProps: { size: 'sm', variant: 'subtle', color: 'gray' },
      vars: (_theme: unknown, { size }: Sized) => ({
        root: { '--ai-size': `var(--p-control-${size ?? 'sm'}, var(--p-control-sm))` },
      }),
    },
    Input: {
      vars: (_theme: unknown, { size }: Sized) => ({
        wrapper: {
          '--input-height': rem(size === 'xs' ? 28 : size === 'md' ? 40 : 32),
          '--input-fz': rem(size === 'md' ? 14 : 13),
        },
      }),
    },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    Badge: { defaultProps: { variant: 'light', radius: 'xl', tt: 'none', fw: 500 } },
    Menu: { defaultProps: { radius: 'md', shadow: 'lg', transitionProps: { duration: 160 } } },
    Modal: {
      defaultProps: { radius: 'lg', shadow: 'lg', centered: true, overlayProps: { backgroundOpacity: 0.35 } },
    },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Text: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 400, radius: 'sm' } },
  },
});

const light = {
  canvas: '#F3F4F6',
  panel: '#FFFFFF',
  sunken: '#F7F8F9',
  raised: '#FFFFFF',
  hover: '#F0F2F4',
  line: '#E5E8EB',
  'line-strong': '#D6DADF',
  field: '#8A939E',
  text: '#171B20',
  'text-2': '#4A535E',
  dim: '#606A76',
  accent: '#0E6872',
  'accent-fill': '#0E6872',
  'accent-fill-hover': '#0A545D',
  'accent-tint': '#EAF6F7',
  'accent-line': '#A8D7DB',
  'accent-mid': '#2E929C',
  selected: '#EAF6F7',
  green: '#1F7A3D',
  'green-tint': '#E8F5EC',
  'green-line': '#BFE3CA',
  'green-dot': '#2E9E55',
  amber: '#8A5A00',
  'amber-tint': '#FDF3DC',
  'amber-line': '#F1DCA6',
  'amber-dot': '#BD7D08',
  red: '#B3261E',
  'red-tint': '#FCEBEA',
  'red-line': '#F3C5C1',
  'red-dot': '#D93A31',
  note: '#5C4A06',
  'note-tint': '#FFF8DC',
  'note-line': '#EFDF9F',
  'shadow-xs': '0 1px 2px rgba(15, 23, 32, 0.05)',
  'shadow-sm': '0 1px 2px rgba(15, 23, 32, 0.05), 0 4px 12px rgba(15, 23, 32, 0.06)',
  'shadow-lg': '0 2px 6px rgba(15, 23, 32, 0.08), 0 16px 48px rgba(15, 23, 32, 0.18)',
};

const dark: typeof light = {
  canvas: '#111417',
  panel: '#171B1F',
  sunken: '#14181B',
  raised: '#20252B',
  hover: '#20252B',
  line: '#262C32',
  'line-strong': '#3A424B',
  field: '#6B7580',
  text: '#E9ECEF',
  'text-2': '#C5CBD2',
  dim: '#9BA4AE',
  accent: '#79C1C7',
  'accent-fill': '#197D88',
  'accent-fill-hover': '#146C76',
  'accent-tint': '#12292D',
  'accent-line': '#1F4E55',
  'accent-mid': '#4FAAB2',
  selected: '#17292D',
  green: '#7FD39A',
  'green-tint': '#16271C',
  'green-line': '#265237',
  'green-dot': '#43B86A',
  amber: '#F0C060',
  'amber-tint': '#2B2310',
  'amber-line': '#57451A',
  'amber-dot': '#E0A526',
  red: '#FF9A92',
  'red-tint': '#33191A',
  'red-line': '#6A2E2C',
  'red-dot': '#F0574D',
  note: '#EBD98A',
  'note-tint': '#2A2612',
  'note-line': '#544A1C',
  'shadow-xs': '0 1px 2px rgba(0, 0, 0, 0.3)',
  'shadow-sm': '0 1px 2px rgba(0, 0, 0, 0.3), 0 4px 12px rgba(0, 0, 0, 0.4)',
  'shadow-lg': '0 2px 6px rgba(0, 0, 0, 0.4), 0 16px 48px rgba(0, 0, 0, 0.6)',
};

/** The tokens of the design as variables `--p-…`, and the variables of Mantine that follow them. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const mantine = {
    '--mantine-color-body': 'var(--p-panel)',
    '--mantine-color-text': 'var(--p-text)',
    '--mantine-color-dimmed': 'var(--p-dim)',
    '--mantine-color-placeholder': 'var(--p-dim)',
    '--mantine-color-anchor': 'var(--p-accent)',
    '--mantine-color-default': 'var(--p-panel)',
    '--mantine-color-default-color': 'var(--p-text)',
    '--mantine-color-default-border': 'var(--p-line-strong)',
    '--mantine-color-default-hover': 'var(--p-hover)',
    '--mantine-color-error': 'var(--p-red)',
    '--mantine-primary-color-filled': 'var(--p-accent-fill)',
    '--mantine-primary-color-filled-hover': 'var(--p-accent-fill-hover)',
    '--mantine-color-petrol-filled': 'var(--p-accent-fill)',
    '--mantine-color-petrol-filled-hover': 'var(--p-accent-fill-hover)',
  };
  const prefixed = (tokens: typeof light) => ({
    ...Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--p-${name}`, value])),
    ...mantine,
  });
  return { variables: {}, light: prefixed(light), dark: prefixed(dark) };
};
