import ts from 'typescript';

/** Source file whose texts can be compared with documentation. */
export interface SourceTexts {
  readonly file: ts.SourceFile;
  /**
   * Returns the ways to read an expression, with `…` in place of values that only the program knows. Constants are resolved by
   * their names, and both sides of a condition are ways.
   */
  readonly textsOf: (expression: ts.Expression) => string[];
}

/** Maximum depth of expressions. */
const DEPTH = 8;

/** Parses a source file. */
export function sourceTexts(name: string, text: string): SourceTexts {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression[]>();
  each(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return;
    constants.set(node.name.text, [...constants.get(node.name.text) ?? [], node.initializer]);
  });
  const ways = (node: ts.Expression, depth: number): string[] => {
    if (depth > DEPTH) return ['…'];
    const next = (inner: ts.Expression) => ways(inner, depth + 1);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) return product([[node.head.text], ...node.templateSpans.flatMap(({ expression, literal }) => [next(expression), [literal.text]])]);
    if (ts.isParenthesizedExpression(node)) return next(node.expression);
    if (ts.isConditionalExpression(node)) return [...next(node.whenTrue), ...next(node.whenFalse)];
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) return product([next(node.left), next(node.right)]);
    if (ts.isIdentifier(node)) return constants.get(node.text)?.flatMap(next) ?? ['…'];
    return ['…'];
  };
  return { file, textsOf: (expression) => [...new Set(ways(expression, 0).map((way) => way.replaceAll(/…+/g, '…')))] };
}

/** Calls a function for each node of a tree. */
export function each(root: ts.Node, visit: (node: ts.Node) => void): void {
  visit(root);
  ts.forEachChild(root, (child) => each(child, visit));
}

function product(parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>((all, part) => all.flatMap((start) => part.map((end) => start + end)), ['']);
}
