// A ball rests on a floor: the contact of a sphere and a plane, in C# through NativeMethods.g.cs.
using System;
using System.Text;
using Palpate;
using static Palpate.NativeMethods;

static unsafe class FirstContact
{
    static void Ok(int status)
    {
        if (status != PALPATE_OK)
            throw new Exception(new string((sbyte*)palpate_last_error()));
    }

    static ulong Add(IntPtr scene, string name, IntPtr geometry)
    {
        ulong id;
        fixed (byte* text = Encoding.UTF8.GetBytes(name + "\0"))
            Ok(palpate_scene_add(scene, text, geometry, null, &id));
        return id;
    }

    static void Main()
    {
        Ok(palpate_check_abi(PALPATE_ABI_VERSION, (uint)sizeof(palpate_contact), (uint)sizeof(IntPtr)));
        double* center = stackalloc double[3], origin = stackalloc double[3], up = stackalloc double[3];
        center[1] = 0.75;
        up[1] = 1;
        IntPtr scene, shape;
        ulong pair;
        Ok(palpate_scene_new(null, &scene));
        Ok(palpate_geometry_sphere(center, 1.0, &shape));
        ulong ball = Add(scene, "ball", shape);
        Ok(palpate_geometry_plane(origin, up, 0, &shape));
        ulong floor = Add(scene, "floor", shape);
        Ok(palpate_scene_add_pair(scene, ball, floor, null, &pair));

        palpate_contact* contacts;
        UIntPtr count;
        Ok(palpate_scene_step(scene, null));
        Ok(palpate_scene_contacts(scene, pair, &contacts, &count));
        for (uint k = 0; k < (uint)count; k++)
        {
            double* way = contacts[k].direction;
            Console.WriteLine(FormattableString.Invariant(
                $"{contacts[k].depth:F3} m, way out {way[0]:F1} {way[1]:F1} {way[2]:F1}"));
        }
        Ok(palpate_scene_free(scene));
    }
}
