/** Every text that the elements have in both languages is used somewhere in their sources. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const repo = fileURLToPath(new URL('../../', import.meta.url));

test('no element carries a text that nothing shows', () => {
  const { config } = ts.readConfigFile(`${repo}tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, repo);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.includes('/web/elements/'));

  /** Members of the object `en` in each strings.ts, by declaration: what they are called here. */
  const texts = new Map();
  for (const source of sources.filter(({ fileName }) => fileName.endsWith('/strings.ts'))) {
    for (const { name, initializer } of source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)) {
      if (name.getText() !== 'en') continue;
      for (const member of initializer.properties) {
        texts.set(member, `${source.fileName.split('/').slice(-2).join('/')}: ${member.name.getText()}`);
      }
    }
  }
  expect(texts.size).toBeGreaterThan(400);

  const unused = new Map(texts);
  const use = (type, name) => {
    for (const declaration of type.getProperty(name)?.declarations ?? []) unused.delete(declaration);
  };
  /** `strings.name`, `const { name } = strings`, and `strings[name]` where the type says which names. */
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node)) use(checker.getTypeAtLocation(node.expression), node.name.text);
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      use(checker.getTypeAtLocation(node.parent), (node.propertyName ?? node.name).getText());
    }
    if (ts.isElementAccessExpression(node)) {
      const key = checker.getTypeAtLocation(node.argumentExpression);
      for (const one of key.isUnion() ? key.types : [key]) {
        if (one.isStringLiteral()) use(checker.getTypeAtLocation(node.expression), one.value);
      }
    }
    node.forEachChild(visit);
  };
  sources.forEach(visit);
  expect([...unused.values()]).toEqual([]);
});
