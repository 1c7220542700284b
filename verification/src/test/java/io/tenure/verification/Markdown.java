package io.tenure.verification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/** A document as its readers see it: blocks of code, links, and the anchors that links can name. */
final class Markdown {
    private static final Parser PARSER = Parser.builder()
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .build();
    private static final Pattern MARKER = Pattern.compile("<!-- snippet: (\\S+#\\S+) -->");
    private static final Pattern LIKE_A_MARKER =
            Pattern.compile("<!--\\s*snippets?\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern EXPLICIT_ANCHOR =
            Pattern.compile("<a\\s[^>]*(?:id|name)\\s*=\\s*[\"']([^\"']+)[\"']", Pattern.CASE_INSENSITIVE);

    private final Path file;
    private final List<CodeBlock> codeBlocks = new ArrayList<>();
    private final List<Target> links = new ArrayList<>();
    private final List<String> anchors = new ArrayList<>();
    private final List<String> strayMarkers = new ArrayList<>();

    /**
     * A fenced block of code.
     *
     * @param language the first word behind the fence, in lower case; empty when there is none
     * @param region the region that its marker names
     * @param begin the index of the line with the opening fence
     * @param end the index of the line with the closing fence
     * @param indent what stands before the opening fence
     */
    record CodeBlock(String language, Optional<String> region, String text, int begin, int end, String indent) {}

    /** Where a link or an image leads to, and the number of the line where it begins. */
    record Target(String destination, int line) {}

    private Markdown(Path file) {
        this.file = file;
    }

    static Markdown of(Path file) {
        String text = SourceTree.read(file);
        Markdown markdown = new Markdown(file);
        PARSER.parse(text).accept(markdown.new Reader(text.lines().toList()));
        return markdown;
    }

    Path file() {
        return file;
    }

    String name() {
        return SourceTree.nameOf(file);
    }

    List<CodeBlock> codeBlocks() {
        return codeBlocks;
    }

    List<Target> links() {
        return links;
    }

    /** What can stand behind a {@code #}: the headings, in the way of GitHub, and anchors in HTML. */
    List<String> anchors() {
        return anchors;
    }

    /** Places of comments that look like markers but mark nothing. */
    List<String> strayMarkers() {
        return strayMarkers;
    }

    /** Writes the file anew, with {@code texts} as the blocks' contents. */
    void rewrite(Map<CodeBlock, String> texts) {
        List<String> lines = new ArrayList<>(SourceTree.read(file).lines().toList());
        for (int i = codeBlocks.size() - 1; i >= 0; i--) {
            CodeBlock block = codeBlocks.get(i);
            if (texts.containsKey(block)) {
                List<String> content = lines.subList(block.begin() + 1, block.end());
                content.clear();
                texts.get(block)
                        .lines()
                        .map(line -> (block.indent() + line).stripTrailing())
                        .forEach(content::add);
            }
        }
        try {
            Files.writeString(file, String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Reader extends AbstractVisitor {
        private final List<String> lines;
        private final Map<String, Integer> headings = new HashMap<>();

        private Reader(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public void visit(FencedCodeBlock block) {
            List<SourceSpan> spans = block.getSourceSpans();
            SourceSpan first = spans.get(0);
            String info = block.getInfo() == null ? "" : block.getInfo().strip();
            codeBlocks.add(new CodeBlock(
                    info.split("[^\\w+-]", 2)[0].toLowerCase(Locale.ROOT),
                    markerBefore(block),
                    block.getLiteral(),
                    first.getLineIndex(),
                    spans.get(spans.size() - 1).getLineIndex(),
                    lines.get(first.getLineIndex()).substring(0, first.getColumnIndex())));
        }

        @Override
        public void visit(HtmlBlock html) {
            String text = html.getLiteral().strip();
            readAnchors(text);
            boolean marks = html.getNext() instanceof FencedCodeBlock block
                    && markerBefore(block).isPresent();
            if (LIKE_A_MARKER.matcher(text).matches() && !marks) {
                strayMarkers.add(
                        name() + ":" + lineOf(html) + " " + text + " stands before no block of code, or is not of"
                                + " the form <!-- snippet: path/from/root/File.java#name -->");
            }
        }

        @Override
        public void visit(HtmlInline html) {
            readAnchors(html.getLiteral());
        }

        @Override
        public void visit(Link link) {
            links.add(new Target(link.getDestination(), lineOf(link)));
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            links.add(new Target(image.getDestination(), lineOf(image)));
            visitChildren(image);
        }

        @Override
        public void visit(Heading heading) {
            StringBuilder title = new StringBuilder();
            heading.accept(new AbstractVisitor() {
                @Override
                public void visit(Text text) {
                    title.append(text.getLiteral());
                }

                @Override
                public void visit(Code code) {
                    title.append(code.getLiteral());
                }
            });
            String anchor = title.toString()
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
                    .replace(' ', '-');
            int earlier = headings.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
            visitChildren(heading);
        }

        private Optional<String> markerBefore(Node block) {
            if (!(block.getPrevious() instanceof HtmlBlock html)) {
                return Optional.empty();
            }
            Matcher marker = MARKER.matcher(html.getLiteral().strip());
            int follows = block.getSourceSpans().get(0).getLineIndex();
            return marker.matches() && lineOf(html) == follows ? Optional.of(marker.group(1)) : Optional.empty();
        }

        private void readAnchors(String html) {
            EXPLICIT_ANCHOR.matcher(html).results().forEach(found -> anchors.add(found.group(1)));
        }

        private int lineOf(Node node) {
            return node.getSourceSpans().isEmpty()
                    ? 0
                    : node.getSourceSpans().get(0).getLineIndex() + 1;
        }
    }
}
