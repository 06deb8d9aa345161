/**
 * The examples in the docstrings, as users' editors show them, and in docs/: each prints what its comments say,
 * and nothing public that can be called is without one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { inPackage, jsBlocks, limit, runAllBesidePackage } from './consumer.js';
import { minilmFolder } from './model-files.js';

const entries = ['index', 'documents/index', 'training/index'].map((name) => inPackage(`dist/${name}.d.ts`));
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  types: [],
});
const checker = program.getTypeChecker();
const declarations = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(inPackage('')));

const isInternal = (symbol) => symbol.getJsDocTags(checker).some(({ name }) => name === 'internal');
const hasExample = (symbol) =>
  symbol
    .getJsDocTags(checker)
    .some(({ name, text }) => name === 'example' && jsBlocks(ts.displayPartsToString(text)).length > 0);
const isOurs = ({ declarations: places = [] }) =>
  places.some((place) => declarations.includes(place.getSourceFile()));
const isCallable = (type) => type.getCallSignatures().length + type.getConstructSignatures().length > 0;

const visited = new Set();

/** `[path, symbol]` of all that can be called among the members of a type, and among those members' members. */
function callablesIn(type, path) {
  if (visited.has(type)) return [];
  visited.add(type);
  return checker
    .getPropertiesOfType(type)
    .filter((member) => isOurs(member) && !isInternal(member))
    .flatMap((member) => {
      const memberType = checker.getTypeOfSymbol(member);
      const memberPath = `${path}.${member.name}`;
      return isCallable(memberType) ? [[memberPath, member]] : callablesIn(memberType, memberPath);
    });
}

const callables = entries
  .flatMap((entry) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry))))
  .map((name) => (name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name))
  .flatMap((symbol) => {
    const itself =
      symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function) ? [[symbol.name, symbol]] : [];
    return [...itself, ...callablesIn(checker.getDeclaredTypeOfSymbol(symbol), symbol.name)];
  });

test('every public function, class and method has an example', () => {
  const paths = callables.map(([path]) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['load', 'Tensor.at', 'AttentionModule.masks.causal', 'Encoder.trainStep']),
  );
  const without = callables.filter(([, symbol]) => !hasExample(symbol));
  expect(without.map(([path]) => path)).toEqual([]);
});

const docstrings = declarations.map(({ fileName, text }) => [
  fileName.slice(inPackage('').length),
  text.replaceAll(/^ *\* ?/gm, ''),
]);
const docs = new URL('../../docs/', import.meta.url);
const pages = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => [`docs/${name}`, readFileSync(new URL(name, docs), 'utf8')]);
const examples = [...docstrings, ...pages].flatMap(([file, text]) =>
  jsBlocks(text).map((code, i) => [file, i + 1, code]),
);

describe('examples', () => {
  let printed;
  beforeAll(async () => {
    // Without a network.
    const here = `
      import { configure } from 'multihead-attention/models';
      configure({ models: { minilm: '${minilmFolder.href}' } });`;
    [, ...printed] = await runAllBesidePackage([here, ...examples.map(([, , code]) => code)], limit);
  }, limit);

  test.each(examples.map((example, i) => [...example, i]))(
    '%s, example %d prints what it says',
    (_, __, code, i) => {
      const said = Array.from(code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, line]) => line);
      expect(code.match(/console\.log\(/g)).toHaveLength(said.length);
      expect(printed[i].split('\n')).toEqual(said);
    },
  );
});
