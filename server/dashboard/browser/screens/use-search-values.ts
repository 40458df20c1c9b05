import { useLocation, useNavigate } from '@tanstack/react-router';

/** The values behind the `?` of the address, and a way to change some of them. An empty value is left out. */
export function useSearchValues() {
  const { pathname, searchStr } = useLocation();
  const navigate = useNavigate();
  const values = Object.fromEntries(new URLSearchParams(searchStr));
  const change = (changes: Readonly<Record<string, string>>, { replace = false } = {}) => {
    const search: Record<string, string> = {};
    for (const [name, value] of Object.entries({ ...values, ...changes })) {
      if (value !== '') search[name] = value;
    }
    return navigate({ to: pathname, search, replace });
  };
  return { values, change };
}
