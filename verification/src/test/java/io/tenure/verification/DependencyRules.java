package io.tenure.verification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What a library brings to its users: the dependencies that its {@code pom.xml} names, neither optional nor for building
 * and testing only. A client of a server is the user's choice, so it is optional.
 */
final class DependencyRules {
    private static final Set<String> OF_NO_USER = Set.of("test", "provided", "import");

    private DependencyRules() {}

    /** Dependencies that some library brings without a reason, and reasons that no dependency needs. */
    static List<String> brought(List<Path> poms, Map<String, String> allowed) {
        List<String> broken = new ArrayList<>();
        List<String> needed = new ArrayList<>();
        for (Path pom : poms) {
            for (String dependency : broughtBy(pom)) {
                String entry = pom.toAbsolutePath().getParent().getFileName() + " brings " + dependency;
                needed.add(entry);
                if (!allowed.containsKey(entry)) {
                    broken.add(entry + " to its users: make it optional, or give the reason in Allowed.BROUGHT");
                }
            }
        }
        broken.addAll(TextRules.notNeeded("BROUGHT", allowed, needed));
        return broken;
    }

    private static List<String> broughtBy(Path pom) {
        Element project = read(pom);
        List<Element> places = new ArrayList<>(List.of(project));
        children(project, "profiles")
                .flatMap(profiles -> children(profiles, "profile"))
                .forEach(places::add);
        return places.stream()
                .flatMap(place -> children(place, "dependencies"))
                .flatMap(dependencies -> children(dependencies, "dependency"))
                .filter(dependency -> !text(dependency, "optional").equals("true"))
                .filter(dependency -> !OF_NO_USER.contains(text(dependency, "scope")))
                .map(dependency -> text(dependency, "groupId") + ":" + text(dependency, "artifactId"))
                .toList();
    }

    private static String text(Element parent, String name) {
        return children(parent, name)
                .map(Node::getTextContent)
                .findFirst()
                .orElse("")
                .strip();
    }

    private static Stream<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeName().equals(name))
                .map(Element.class::cast);
    }

    private static Element read(Path pom) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getDocumentElement();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException(pom + " cannot be read", e);
        }
    }
}
